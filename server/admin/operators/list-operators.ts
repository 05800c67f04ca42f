import type { listOperators as endpoint } from '@coffer/contract/admin/operators'
import type pg from 'pg'
import type { z } from 'zod'
import { many } from '../../database/statement.ts'
import { LIST_OPERATORS } from './queries.ts'

type Listed = z.output<typeof endpoint.response>['operators'][number]

export async function listOperators(db: pg.Pool): Promise<Listed[]> {
  const operators = await many(db, LIST_OPERATORS)
  return operators.map(({ id, createdAt, lastSeenAt, ...operator }) => ({
    id: String(id),
    ...operator,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }))
}
