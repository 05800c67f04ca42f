import type { listClientApps as endpoint } from '@coffer/contract/admin/client-apps'
import type pg from 'pg'
import type { z } from 'zod'
import { ServiceError } from '../../service-error.ts'
import { searchApps, type ListedAppRow } from './queries.ts'
import { toPattern } from '../search-words.ts'
import { showAppPause } from '../switches/pause-client-app.ts'

const PAGE = 50

type AppPage = z.output<typeof endpoint.answer>

export async function listClientApps(
  db: pg.Pool,
  { search, state, cursor }: z.output<typeof endpoint.input>,
): Promise<AppPage> {
  if (cursor !== undefined && !/^app_[0-9a-f]{24}$/.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const asked = {
    pattern: toPattern(search),
    isActive: state === 'active' || state === 'inactive' ? state === 'active' : undefined,
    isPaused: state === 'paused',
    after: cursor,
    // One more than is shown tells whether there is a next page.
    limit: PAGE + 1,
  }
  const { rows } = await db.query<ListedAppRow>(searchApps(asked))
  const clientApps = rows.slice(0, PAGE).map(showApp)
  const nextCursor = rows.length > PAGE ? (clientApps.at(-1)?.clientId ?? null) : null
  return { clientApps, nextCursor }
}

export function showApp(row: ListedAppRow): AppPage['clientApps'][number] {
  return {
    clientId: row.client_id,
    name: row.name,
    isActive: row.is_active,
    pause: showAppPause(row),
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    linkedUsers: Number(row.linked_users),
  }
}
