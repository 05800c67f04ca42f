/**
 * The client apps that this process knows. An app is remembered only while the process is sure that nothing
 * changed: it polls one row that counts every change, and trusts its memory only for as long as that poll is
 * fresh. So a revocation takes effect everywhere within a second, even if the database cannot be reached.
 */
import type { Scope } from '@coffer/contract/endpoint'
import type pg from 'pg'
import { coalesce } from '../database/coalesce.ts'
import type { ClientAppNotes } from './record-app-activity.ts'
import { findClientApps, READ_VERSION, type FoundClientAppRow } from './queries.ts'

export interface ClientApp {
  id: bigint
  clientId: string
  name: string
  /** The settlement account in the ledger and the namespace of references. */
  account: number
  scopes: readonly Scope[]
  allowedOrigins: readonly string[]
  allowedIframeParents: readonly string[]
  accentColor: string | null
  isActive: boolean
  /** Only its writes; what it reads and where it is framed goes on. */
  isPaused: boolean
  secrets: readonly RememberedSecret[]
}

export interface RememberedSecret {
  id: string
  hmac: Buffer
  pepperId: string
  /** The pepper that it was hashed with before, if another one. */
  renewedFrom: string | null
  untilMs: number
  /** SHA-256 of the secret once it was found right: the next check costs a twentieth of an HMAC. */
  known?: string
  /** Its hash under the newest pepper is about to be written. */
  isRenewing?: boolean
}

/** What is noted of secrets is written down later, with others. */
export type SecretNotes = Pick<ClientAppNotes, 'noteUse' | 'noteHash'>

export interface RememberedClientApps extends SecretNotes {
  find(clientId: string): Promise<ClientApp | undefined> | ClientApp
  close(): void
}

const POLL_MS = 250
const TRUST_MS = 750

export function rememberClientApps(
  db: pg.Pool,
  notes: SecretNotes = { noteUse: () => undefined, noteHash: () => undefined },
): RememberedClientApps {
  const remembered = new Map<string, { app: ClientApp; version: bigint }>()
  let version = -1n
  let polledAtMs = -Infinity
  let closed = false

  async function poll() {
    const startedAtMs = performance.now()
    try {
      const { rows } = await db.query<{ version: bigint }>(READ_VERSION)
      const current = rows[0]?.version ?? -1n
      if (current !== version) remembered.clear()
      version = current
      polledAtMs = startedAtMs
    } catch {
      // The memory grows stale by itself and every call asks the database, which tells its own trouble.
    }
    if (!closed) setTimeout(() => void poll(), POLL_MS).unref()
  }
  void poll()

  const load = coalesce<string, ClientApp>(
    async (clientIds) => {
      const { rows } = await db.query<FoundClientAppRow>(findClientApps(clientIds))
      const found = new Map<string, ClientApp>()
      for (const row of rows) {
        if (row.client_id === null) continue
        const app = toClientApp(row)
        found.set(app.clientId, app)
        if (row.version >= version) remembered.set(app.clientId, { app, version: row.version })
      }
      return found
    },
    { most: 64, atOnce: 1 },
  )

  return {
    find(clientId) {
      const known = remembered.get(clientId)
      const fresh = performance.now() - polledAtMs < TRUST_MS
      return known && fresh && known.version >= version ? known.app : load(clientId)
    },
    noteUse: notes.noteUse,
    noteHash: notes.noteHash,
    close() {
      closed = true
    },
  }
}

function toClientApp(row: FoundClientAppRow): ClientApp {
  const nowMs = performance.now()
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    account: Number(row.account_id),
    scopes: row.scopes,
    allowedOrigins: row.allowed_origins,
    allowedIframeParents: row.allowed_iframe_parents,
    accentColor: row.accent_color,
    isActive: row.is_active,
    isPaused: row.is_paused,
    secrets: row.hmacs.map((hmac, index) => ({
      id: row.secret_ids[index] ?? '',
      hmac: Buffer.from(hmac, 'hex'),
      pepperId: row.pepper_ids[index] ?? '',
      renewedFrom: row.renewed_from[index] ?? null,
      untilMs: nowMs + (row.remaining_ms[index] ?? Infinity),
    })),
  }
}
