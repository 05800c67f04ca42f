/** Returns an `ilike` pattern that finds the text anywhere; undefined: no filter. */
export function toPattern(search = ''): string | undefined {
  const words = search.trim()
  return words === '' ? undefined : `%${words.replace(/[\\%_]/g, '\\$&')}%`
}
