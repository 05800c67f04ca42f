import type { listClientApps as endpoint } from '@coffer/contract/admin/client-apps'
import type pg from 'pg'
import type { z } from 'zod'
import { many } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { toPattern } from '../search-words.ts'
import { showPause } from '../app-pause-queries.ts'
import { searchApps, type ListedApp } from './queries.ts'

const PAGE = 50

type AppPage = z.output<typeof endpoint.response>

export async function listClientApps(
  db: pg.Pool,
  { search, state, cursor }: z.output<typeof endpoint.input>,
): Promise<AppPage> {
  if (cursor !== undefined && !/^app_[0-9a-f]{24}$/.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const filter = {
    pattern: toPattern(search),
    isActive: state === 'active' || state === 'inactive' ? state === 'active' : undefined,
    isPaused: state === 'paused',
    after: cursor,
    // One more row than the page shows, to know whether there is a next page.
    limit: PAGE + 1,
  }
  const apps = await many(db, searchApps(filter))
  const clientApps = apps.slice(0, PAGE).map(showApp)
  const nextCursor = apps.length > PAGE ? (clientApps.at(-1)?.clientId ?? null) : null
  return { clientApps, nextCursor }
}

export function showApp(app: ListedApp): AppPage['clientApps'][number] {
  const { clientId, name, isActive, scopes, linkedUsers } = app
  return {
    clientId,
    name,
    isActive,
    pause: showPause(app.pause),
    scopes,
    createdAt: app.createdAt.toISOString(),
    lastUsedAt: app.lastUsedAt?.toISOString() ?? null,
    linkedUsers,
  }
}
