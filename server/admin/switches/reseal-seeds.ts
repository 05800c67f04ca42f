import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, run } from '../../database/statement.ts'
import { recordAction, type Actor } from '../record-action.ts'
import { openSeed, sealSeed, type AdminKeys } from '../seal-seed.ts'
import { dropRecoveryCodes, lockSealedOtherwise, setSealedSeed } from './queries.ts'

interface Resealed {
  seeds: number
  /** Operators whose recovery codes were dropped. */
  dropped: number
}

/**
 * Seals every authenticator's seed with the newest key, in one transaction. Only the operators know their recovery
 * codes, so the hashes keep the old key until the codes are used, renewed or dropped.
 */
export async function resealSeeds(
  { db, keys }: { db: pg.Pool; keys: AdminKeys },
  by: Actor,
  options: { dropRecoveryCodes: boolean },
): Promise<Resealed> {
  const [newest] = keys
  return inTransaction(db, async (tx) => {
    const sealedOtherwise = await many(tx, lockSealedOtherwise(newest.id))
    for (const { operatorId, seed } of sealedOtherwise) {
      const opened = openSeed(keys, operatorId, seed)
      await run(tx, setSealedSeed(operatorId, sealSeed(keys, operatorId, opened)))
    }
    const dropped = options.dropRecoveryCodes ? await run(tx, dropRecoveryCodes(newest.id)) : 0
    const resealed = { seeds: sealedOtherwise.length, dropped }
    const after = { keyId: newest.id, ...resealed }
    await recordAction(tx, by, { action: 'keys.reseal', subject: newest.id, after })
    return resealed
  })
}
