import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a month such as 2025-01. */
export function filesOf(folder: string, month: string) {
  return {
    operations: join(folder, `operations-${month}.jsonl.gz`),
    manifest: join(folder, `operations-${month}.manifest`),
  }
}

/** The first moments of the month and of the next one. */
export function boundsOf(month: string): { from: Date; before: Date } {
  const from = new Date(`${month}-01T00:00:00Z`)
  return { from, before: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) }
}

/** Writes the file, or the names in a folder, to the disk. */
export async function sync(path: string) {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
