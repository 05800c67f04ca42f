/** A passage of our own source and its replacement: a planted bug, or a failpoint. */
export interface SourceChange {
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
}

export function changeSource(source: string, { file, find, replace }: SourceChange): string {
  const parts = source.split(find)
  if (parts.length === 2) return parts.join(replace)
  const times = `${parts.length - 1} times`
  throw new Error(`${file} must contain this exactly once, but contains it ${times}: ${find}`)
}
