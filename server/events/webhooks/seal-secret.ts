/** Secrets of webhooks sign requests, so they are encrypted and not hashed. */
import type { NamedKey } from '../../config.ts'
import { findKey, open, seal, type Sealed } from '../../seal.ts'
import { lockSealedOtherwise, setSealedSecrets, type StoredSecrets } from './queries.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, run } from '../../database/statement.ts'

type Peppers = readonly [NamedKey, ...NamedKey[]]

export function sealSecret([newest]: Peppers, webhookId: string, secret: Buffer): Sealed {
  return seal(newest, 'webhook secret', webhookId, secret)
}

/** The secrets that sign now. */
export function openSecrets(
  peppers: Peppers,
  webhookId: string,
  { current, previous }: StoredSecrets,
): Buffer[] {
  const sealed = previous ? [current, previous] : [current]
  return sealed.map((each) => openSecret(peppers, webhookId, each))
}

export function openSecret(peppers: Peppers, webhookId: string, { keyId, sealed }: Sealed): Buffer {
  return open(findKey(peppers, keyId, 'SECRET_PEPPERS'), 'webhook secret', webhookId, sealed)
}

/** Encrypts the secrets of webhooks with the newest pepper, so that older ones can be removed. Returns how many. */
export function resealSecrets({ backgroundDb, config }: Pick<Context, 'backgroundDb' | 'config'>) {
  const { peppers } = config
  return inTransaction(backgroundDb, async (tx) => {
    const found = await many(tx, lockSealedOtherwise(peppers[0].id))
    for (const { id, secrets } of found) {
      const { current, previous } = secrets
      const again = (sealed: typeof current) =>
        sealSecret(peppers, id, openSecret(peppers, id, sealed))
      await run(tx, setSealedSecrets(id, again(current), previous && again(previous)))
    }
    return found.length
  })
}
