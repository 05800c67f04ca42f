import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { recordAction, type Actor } from '../record-action.ts'
import { openSeed, sealSeed, type AdminKeys } from '../sign-in/seal-seed.ts'
import { dropRecoveryCodes, lockSealedOtherwise, setSealedSeed, type SealedRow } from './queries.ts'

interface Resealed {
  seeds: number
  /** Operators whose recovery codes were dropped. */
  dropped: number
}

/**
 * Seals every authenticator's seed with the newest key, all or none. Recovery codes are known to their owners alone,
 * so their hashes stay with the old key until the codes are used, renewed or dropped.
 */
export async function resealSeeds(
  { db, keys }: { db: pg.Pool; keys: AdminKeys },
  by: Actor,
  options: { dropRecoveryCodes: boolean },
): Promise<Resealed> {
  const [newest] = keys
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<SealedRow>(lockSealedOtherwise(newest.id))
    for (const { id, totp_seed: sealed, totp_key_id: keyId } of rows) {
      const seed = openSeed(keys, id, { sealed, keyId })
      await tx.query(setSealedSeed(id, sealSeed(keys, id, seed)))
    }
    const dropping = options.dropRecoveryCodes
      ? await tx.query(dropRecoveryCodes(newest.id))
      : undefined
    const resealed = { seeds: rows.length, dropped: dropping?.rowCount ?? 0 }
    const after = { keyId: newest.id, ...resealed }
    await recordAction(tx, by, { action: 'keys.reseal', subject: newest.id, after })
    return resealed
  })
}
