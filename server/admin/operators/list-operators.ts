import type { listOperators as endpoint } from '@coffer/contract/admin/operators'
import type pg from 'pg'
import type { z } from 'zod'
import { LIST_OPERATORS, type ListedOperatorRow } from '../operator-queries.ts'

type Listed = z.output<typeof endpoint.answer>['operators'][number]

export async function listOperators(db: pg.Pool): Promise<Listed[]> {
  const { rows } = await db.query<ListedOperatorRow>(LIST_OPERATORS)
  return rows.map((row) => ({
    id: String(row.id),
    email: row.email,
    name: row.name,
    role: row.role,
    isActive: row.is_active,
    hasAuthenticator: row.has_authenticator,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  }))
}
