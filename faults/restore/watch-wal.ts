/** Records the WAL position over time, and how much of the WAL is in the archive. */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { withAdmin } from '../setup/with-admin.ts'
import type { Repository } from './pgbackrest.ts'

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

export interface Archive {
  /** Of the repository: the backup and the archived WAL. */
  bytes: number
  /** The end of its newest segment. */
  endPosition: bigint
}

const SEGMENT_BYTES = 16n * 1024n * 1024n

export function readArchive(repository: Repository, folder: string): Archive {
  const [info] = JSON.parse(repository.run(['--output=json', 'info'])) as {
    archive: { max: string | null }[]
  }[]
  const newest = info?.archive[0]?.max
  if (newest === null || newest === undefined) throw new Error('nothing was archived')
  const du = execFileSync('du', ['-sb', folder], { encoding: 'utf8' })
  return { bytes: Number.parseInt(du), endPosition: (toNumber(newest) + 1n) * SEGMENT_BYTES }
}

/** A name is the timeline, then the number of the segment in two parts of 8 digits. */
function toNumber(name: string): bigint {
  const high = BigInt(`0x${name.slice(8, 16)}`)
  return (high * 2n ** 32n) / SEGMENT_BYTES + BigInt(`0x${name.slice(16)}`)
}
