import type pg from 'pg'
import { LIST_CLIENT_APPS, type ClientAppRow } from './queries.ts'

interface ListedRow extends ClientAppRow {
  live_secrets: bigint
}

export async function listClientApps(db: pg.Pool) {
  const { rows } = await db.query<ListedRow>(LIST_CLIENT_APPS)
  return rows.map((row) => ({
    clientId: row.client_id,
    name: row.name,
    scopes: row.scopes,
    allowedOrigins: row.allowed_origins,
    allowedIframeParents: row.allowed_iframe_parents,
    isActive: row.is_active,
    liveSecrets: Number(row.live_secrets),
  }))
}
