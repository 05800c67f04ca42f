import type { readAudit as endpoint } from '@coffer/contract/admin/audit'
import type pg from 'pg'
import type { z } from 'zod'
import { many } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { toPattern } from '../search-words.ts'
import { searchAudit, type ListedEntry } from './queries.ts'

const PAGE = 50
const DAY_MS = 24 * 60 * 60 * 1000

type Filter = z.output<typeof endpoint.input>
type AuditPage = z.output<typeof endpoint.response>
export type ShownEntry = AuditPage['entries'][number]

export async function readAudit(db: pg.Pool, filter: Filter, size = PAGE): Promise<AuditPage> {
  const { search, from, to, cursor } = filter
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const query = {
    pattern: toPattern(search),
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    after: cursor === undefined ? undefined : BigInt(cursor),
    // One more row than the page shows, to know whether there is a next page.
    limit: size + 1,
  }
  const found = await many(db, searchAudit(query))
  const entries = found.slice(0, size).map(showEntry)
  const nextCursor = found.length > size ? (entries.at(-1)?.id ?? null) : null
  return { entries, nextCursor }
}

function showEntry({ id, at, ...entry }: ListedEntry): ShownEntry {
  return { id: String(id), at: at.toISOString(), ...entry }
}
