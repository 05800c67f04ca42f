/** The archived WAL: files of equal size, named by their timeline and their position. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const WAL_FILE = /^[0-9A-F]{24}$/
const PLACES_PER_NAME = 2n ** 32n

/**
 * The first missing file before later ones; undefined: none is missing. PostgreSQL takes such a gap for the end of the
 * WAL and does not report it.
 */
export async function findGap(folders: readonly string[]): Promise<string | undefined> {
  const names = new Set<string>()
  let bytes = 0
  for (const folder of folders) {
    for (const name of await readdir(folder)) {
      if (!WAL_FILE.test(name)) continue
      names.add(name)
      bytes ||= (await stat(join(folder, name))).size
    }
  }
  return findGapAmong([...names], BigInt(bytes))
}

/** A new timeline continues the numbers of the previous one, so a file may come from any of them. */
export function findGapAmong(names: readonly string[], fileBytes: bigint): string | undefined {
  if (names.length === 0 || fileBytes === 0n) return undefined
  const perName = PLACES_PER_NAME / fileBytes
  const placeOf = (name: string) =>
    BigInt(`0x${name.slice(8, 16)}`) * perName + BigInt(`0x${name.slice(16)}`)
  const sorted = names.toSorted((a, b) => (a.slice(8) < b.slice(8) ? -1 : 1))
  for (const [index, name] of sorted.slice(1).entries()) {
    const before = sorted[index] as string
    const expected = placeOf(before) + 1n
    if (placeOf(name) <= expected) continue
    return before.slice(0, 8) + toHex(expected / perName) + toHex(expected % perName)
  }
  return undefined
}

function toHex(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(8, '0')
}
