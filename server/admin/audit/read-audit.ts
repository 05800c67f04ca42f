import type { readAudit as endpoint } from '@coffer/contract/admin/audit'
import type pg from 'pg'
import type { z } from 'zod'
import { ServiceError } from '../../service-error.ts'
import { searchAudit, type AuditRow } from '../audit-queries.ts'
import { toPattern } from '../search-words.ts'

const PAGE = 50
const DAY_MS = 24 * 60 * 60 * 1000

type Filter = z.output<typeof endpoint.input>
type AuditPage = z.output<typeof endpoint.answer>
export type ShownEntry = AuditPage['entries'][number]

export async function readAudit(db: pg.Pool, filter: Filter, size = PAGE): Promise<AuditPage> {
  const { search, from, to, cursor } = filter
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const asked = {
    pattern: toPattern(search),
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    after: cursor === undefined ? undefined : BigInt(cursor),
    // One more than is shown tells whether there is a next page.
    limit: size + 1,
  }
  const { rows } = await db.query<AuditRow>(searchAudit(asked))
  const entries = rows.slice(0, size).map(showEntry)
  const nextCursor = rows.length > size ? (entries.at(-1)?.id ?? null) : null
  return { entries, nextCursor }
}

function showEntry(row: AuditRow): ShownEntry {
  const { actor, address, action, subject, before, after } = row
  const about = { actor, address, action, subject, before, after }
  return { id: String(row.id), at: row.at.toISOString(), ...about }
}
