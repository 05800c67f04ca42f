import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { many, run } from '../database/statement.ts'
import { lockSealedOtherwise, setSealedSecrets } from './queries.ts'
import { openSecret, sealSecret } from './seal-secret.ts'

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
