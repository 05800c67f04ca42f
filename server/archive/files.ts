import { join } from 'node:path'

/** The files of a month such as 2025-01. */
export function filesOf(folder: string, month: string) {
  return {
    operations: join(folder, `operations-${month}.parquet`),
    manifest: join(folder, `operations-${month}.manifest`),
  }
}

/** The first moments of the month and of the next one. */
export function boundsOf(month: string): { from: Date; before: Date } {
  const from = new Date(`${month}-01T00:00:00Z`)
  return { from, before: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) }
}
