/** Records the WAL position over time, and how much of the WAL is in the archive. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withAdmin } from '../setup/with-admin.ts'

export interface LogMark {
  /** Everything confirmed before this time is in the WAL before this position. */
  atMs: number
  position: bigint
}

const EVERY_MS = 50

export function watchLog(url: string): { marks: LogMark[]; stop: () => Promise<void> } {
  const marks: LogMark[] = []
  const over = new AbortController()
  const watching = withAdmin(url, async (admin) => {
    while (!over.signal.aborted) {
      const atMs = performance.now()
      const { rows } = await admin.query<{ position: bigint }>(
        `select (pg_current_wal_lsn() - '0/0')::bigint as position`,
      )
      marks.push({ atMs, position: rows[0]?.position ?? 0n })
      await sleep(EVERY_MS)
    }
    // This ends with the database at the latest.
  }).catch(() => undefined)
  return {
    marks,
    async stop() {
      over.abort()
      await watching
    },
  }
}

const PIECE = /^[0-9A-F]{24}$/

export interface Archive {
  pieces: number
  bytes: number
  /** The end of its newest segment. */
  endPosition: bigint
}

export function readArchive(folder: string): Archive {
  const names = readdirSync(folder).filter((name) => PIECE.test(name))
  const newest = names.toSorted().at(-1)
  if (newest === undefined) throw new Error('nothing was archived')
  const pieceBytes = statSync(join(folder, newest)).size
  const high = BigInt(`0x${newest.slice(8, 16)}`)
  const low = BigInt(`0x${newest.slice(16)}`)
  return {
    pieces: names.length,
    bytes: names.length * pieceBytes,
    endPosition: high * 2n ** 32n + (low + 1n) * BigInt(pieceBytes),
  }
}
