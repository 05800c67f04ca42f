/** Compares two JSON texts field by field; for lists of strings, returns the added and removed ones. */

export interface Change {
  /** "settings.name"; empty for the whole text. */
  path: string
  removed: string[]
  added: string[]
}

export function diffJson(before: string | null, after: string | null) {
  const old = flatten(parse(before))
  const now = flatten(parse(after))
  const paths = [...new Set([...old.keys(), ...now.keys()])]
  const changes = paths.flatMap((path): Change[] => {
    const was = old.get(path) ?? []
    const is = now.get(path) ?? []
    const removed = was.filter((text) => !is.includes(text))
    const added = is.filter((text) => !was.includes(text))
    return removed.length + added.length > 0 ? [{ path, removed, added }] : []
  })
  return { changes, same: paths.length - changes.length }
}

/** A text that is not JSON is compared as it is. */
function parse(json: string | null): unknown {
  if (json === null) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function flatten(value: unknown, path = '', found = new Map<string, string[]>()) {
  if (value === undefined) return found
  if (Array.isArray(value)) found.set(path, value.map(print))
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      flatten(part, path ? `${path}.${key}` : key, found)
    }
  } else found.set(path, [print(value)])
  return found
}

function print(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '')
}
