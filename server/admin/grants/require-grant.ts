import type pg from 'pg'
import { one } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { lockGrant, type Grant } from './queries.ts'

/** Locks the grant until the transaction ends. */
export async function requireGrant(tx: pg.ClientBase, id: string): Promise<Grant> {
  const grant = await one(tx, lockGrant(id))
  if (grant === undefined) throw new ServiceError('NOT_FOUND')
  return grant
}
