/**
 * The activity of client apps, for operators: when a secret was last accepted, which origins and calls were refused. It
 * is collected in memory and written once a minute, so that no call waits for it.
 */
import type { Logger } from 'pino'
import type pg from 'pg'
import { run } from '../database/statement.ts'
import {
  deleteOldRefusals,
  writeHashes,
  writeRefusals,
  writeUses,
  type NewHash,
  type Refusal,
} from './activity-queries.ts'

const WRITE_MS = 60_000
/** Further values between two writes are dropped: callers choose the values. */
const REFUSALS_MAX = 1_000
const REFUSALS_PER_APP_MAX = 50
const VALUE_MAX = 255

export interface AppActivity {
  recordUse(secretId: string): void
  recordHash(hash: NewHash): void
  recordRefusal(clientId: string, kind: Refusal['kind'], value: string): void
  /** Writes what is in memory to the database. */
  write(): Promise<void>
  close(): Promise<void>
}

export function createAppActivity(db: pg.Pool, log: Pick<Logger, 'warn'>): AppActivity {
  const uses = new Set<string>()
  const hashes = new Map<string, NewHash>()
  const refusals = new Map<string, Refusal>()

  /** Together, because each write makes every process reload its client apps. They stay in memory until written. */
  async function renewHashes() {
    const renewed = [...hashes]
    if (renewed.length === 0) return
    await run(db, writeHashes(renewed.map(([, hash]) => hash)))
    for (const [secretId, hash] of renewed) {
      if (hashes.get(secretId) === hash) hashes.delete(secretId)
    }
  }

  async function writeUsesAndRefusals() {
    const used = [...uses]
    const refused = [...refusals.values()]
    uses.clear()
    refusals.clear()
    if (used.length > 0) await run(db, writeUses(used))
    if (refused.length === 0) return
    await run(db, writeRefusals(refused))
    const clientIds = [...new Set(refused.map(({ clientId }) => clientId))]
    await run(db, deleteOldRefusals(clientIds, REFUSALS_PER_APP_MAX))
  }

  /** One after the other: the hashes skip a row that is locked, and the uses lock the same rows. */
  async function write() {
    try {
      await renewHashes()
    } finally {
      await writeUsesAndRefusals()
    }
  }

  /** Losing some activity is harmless. */
  const tryToWrite = () =>
    write().catch((error: unknown) =>
      log.warn(
        { err: error },
        'could not save the last use of client secrets and refused calls; those of the last minute may be lost',
      ),
    )
  const timer = setInterval(() => void tryToWrite(), WRITE_MS)
  timer.unref()

  return {
    recordUse: (secretId) => void uses.add(secretId),
    recordHash: (hash) => void hashes.set(hash.secretId, hash),
    recordRefusal(clientId, kind, value) {
      const name = `${clientId} ${kind} ${value}`
      const known = refusals.get(name)
      if (known) known.times++
      else if (refusals.size < REFUSALS_MAX && value.length <= VALUE_MAX) {
        refusals.set(name, { clientId, kind, value, times: 1 })
      }
    },
    write,
    async close() {
      clearInterval(timer)
      await tryToWrite()
    },
  }
}
