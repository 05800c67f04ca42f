import type pg from 'pg'
import { many } from '../../database/statement.ts'
import { listPasskeys, type PasskeyOwners } from './queries.ts'

/** In the format that browsers expect. */
export async function listCredentials(db: pg.Pool, owners: PasskeyOwners, ownerId: bigint) {
  const passkeys = await many(db, listPasskeys(owners, ownerId))
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    transports,
  }))
}
