import { many, one, type Database } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { lockApp, type LockedApp } from '../app-change-queries.ts'
import { listSecrets } from './queries.ts'

/** In a transaction, also locks the app until the transaction ends. */
export async function requireApp(db: Database, clientId: string): Promise<LockedApp> {
  const app = await one(db, lockApp(clientId))
  if (app === undefined) throw new ServiceError('NOT_FOUND')
  return app
}

/** The ids of the live secrets, for the audit log. */
export async function listSecretIds(db: Database, clientAppId: bigint): Promise<string[]> {
  const secrets = await many(db, listSecrets(clientAppId))
  return secrets.map(({ id }) => String(id))
}
