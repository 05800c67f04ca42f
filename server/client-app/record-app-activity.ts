/**
 * What operators want to know of a client app's integration: when its secrets were last accepted, which origins and
 * calls were refused. It is kept in memory and written down together, once a minute, so that no call waits for it.
 */
import type { Logger } from 'pino'
import type pg from 'pg'
import {
  forgetOldSeen,
  writeHashes,
  writeSeen,
  writeUses,
  type NewHash,
  type Sighting,
} from './activity-queries.ts'

const WRITE_MS = 60_000
/** What is new beyond so many between two writings is not noted: callers choose the values. */
const SIGHTINGS_MAX = 1_000
const SEEN_PER_APP_MAX = 50
const VALUE_MAX = 255

export interface ClientAppNotes {
  noteUse(secretId: string): void
  noteHash(hash: NewHash): void
  noteSeen(clientId: string, kind: Sighting['kind'], value: string): void
  /** Writes down what is in memory. */
  write(): Promise<void>
  close(): Promise<void>
}

export function createNotes(db: pg.Pool, log: Pick<Logger, 'warn'>): ClientAppNotes {
  const uses = new Set<string>()
  const hashes = new Map<string, NewHash>()
  const sightings = new Map<string, Sighting>()

  /** Together, because each writing makes every process forget its client apps. They stay until they are written. */
  async function renewHashes() {
    const renewed = [...hashes]
    if (renewed.length === 0) return
    await db.query(writeHashes(renewed.map(([, hash]) => hash)))
    for (const [secretId, hash] of renewed) {
      if (hashes.get(secretId) === hash) hashes.delete(secretId)
    }
  }

  async function writeNotes() {
    const used = [...uses]
    const seen = [...sightings.values()]
    uses.clear()
    sightings.clear()
    if (used.length > 0) await db.query(writeUses(used))
    if (seen.length === 0) return
    await db.query(writeSeen(seen))
    const clientIds = [...new Set(seen.map(({ clientId }) => clientId))]
    await db.query(forgetOldSeen(clientIds, SEEN_PER_APP_MAX))
  }

  const write = async () => void (await Promise.all([renewHashes(), writeNotes()]))

  /** Nobody is harmed by what is lost. */
  const tryToWrite = () =>
    write().catch((error: unknown) => log.warn({ err: error }, 'what was seen is lost'))
  const timer = setInterval(() => void tryToWrite(), WRITE_MS)
  timer.unref()

  return {
    noteUse: (secretId) => void uses.add(secretId),
    noteHash: (hash) => void hashes.set(hash.secretId, hash),
    noteSeen(clientId, kind, value) {
      const name = `${clientId} ${kind} ${value}`
      const known = sightings.get(name)
      if (known) known.times++
      else if (sightings.size < SIGHTINGS_MAX && value.length <= VALUE_MAX) {
        sightings.set(name, { clientId, kind, value, times: 1 })
      }
    },
    write,
    async close() {
      clearInterval(timer)
      await tryToWrite()
    },
  }
}
