import type pg from 'pg'
import { one } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { findOwner, type Owner } from './queries.ts'

export async function requireOwner(db: pg.Pool, clientId: string): Promise<Owner> {
  const owner = await one(db, findOwner(clientId))
  if (owner === undefined) throw new ServiceError('NOT_FOUND')
  return owner
}
