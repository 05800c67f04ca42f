/**
 * A cache of client apps. The process polls one row that counts every change and uses a cached app only while the last
 * poll is recent and showed no change. So a revocation takes effect everywhere within a second, even if the database
 * cannot be reached.
 */
import type { SecretScope } from '@coffer/contract/endpoint'
import type pg from 'pg'
import { createLoader } from '../database/create-loader.ts'
import { many, one } from '../database/statement.ts'
import type { AppActivity } from './record-app-activity.ts'
import { findClientApps, READ_VERSION, type StoredClientApp, type StoredSecret } from './queries.ts'

export interface ClientApp extends Omit<StoredClientApp, 'secrets'> {
  secrets: readonly CachedSecret[]
  /** Present if the request used a restricted secret. */
  restriction?: UsedRestriction
}

interface UsedRestriction {
  secretId: bigint
  name: string
  scopes: readonly SecretScope[]
  isAllowedFrom: (address: string) => boolean
}

export interface CachedSecret extends Omit<StoredSecret, 'remainingMs'> {
  untilMs: number
  /** SHA-256 of the secret after its first successful check: the next check takes a twentieth of an HMAC. */
  verifiedSha256?: string
  /** Its hash with the newest pepper will be written soon. */
  isRenewing?: boolean
  /** The app with the restriction of this secret. */
  view?: ClientApp
}

/** Records the use of secrets; written to the database later. */
export type SecretActivity = Pick<AppActivity, 'recordUse' | 'recordHash'>

export interface ClientAppCache extends SecretActivity {
  find(clientId: string): Promise<ClientApp | undefined> | ClientApp
  close(): void
}

const POLL_MS = 250
const CACHE_MAX_AGE_MS = 750

export function createClientAppCache(
  db: pg.Pool,
  activity: SecretActivity = { recordUse: () => undefined, recordHash: () => undefined },
): ClientAppCache {
  const cache = new Map<string, { app: ClientApp; version: bigint }>()
  let version = -1n
  let polledAtMs = -Infinity
  let closed = false

  async function poll() {
    const startedAtMs = performance.now()
    try {
      const current = (await one(db, READ_VERSION)) ?? -1n
      if (current !== version) cache.clear()
      version = current
      polledAtMs = startedAtMs
    } catch {
      // The cache expires, and then every call reads from the database and reports its error.
    }
    if (!closed) setTimeout(() => void poll(), POLL_MS).unref()
  }
  void poll()

  const load = createLoader<string, ClientApp>(
    async (clientIds) => {
      const found = new Map<string, ClientApp>()
      for (const row of await many(db, findClientApps(clientIds))) {
        if (row.app === undefined) continue
        const app = toClientApp(row.app)
        found.set(app.clientId, app)
        if (row.version >= version) cache.set(app.clientId, { app, version: row.version })
      }
      return found
    },
    { batchMax: 64, concurrency: 1 },
  )

  return {
    find(clientId) {
      const verifiedSha256 = cache.get(clientId)
      const fresh = performance.now() - polledAtMs < CACHE_MAX_AGE_MS
      return verifiedSha256 && fresh && verifiedSha256.version >= version
        ? verifiedSha256.app
        : load(clientId)
    },
    recordUse: activity.recordUse,
    recordHash: activity.recordHash,
    close() {
      closed = true
    },
  }
}

function toClientApp(stored: StoredClientApp): ClientApp {
  const nowMs = performance.now()
  const secrets = stored.secrets.map(({ remainingMs, ...secret }) => ({
    ...secret,
    untilMs: nowMs + remainingMs,
  }))
  return { ...stored, secrets }
}
