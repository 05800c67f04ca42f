import type pg from 'pg'
import type { Asking } from './create-passkey-challenge.ts'
import { recordAction } from '../record-action.ts'
import { startLogIn, type Caller } from '../require-operator.ts'
import { checkPasskey, usingPasskey } from './use-passkey.ts'
import type { Signed } from './verify-passkey.ts'

/** Two factors in one: it is had, and its owner unlocked it. Returns the cookie. */
export async function logInByPasskey(
  db: pg.Pool,
  asking: Asking,
  signed: Signed,
  caller: Caller,
): Promise<string> {
  const proof = await checkPasskey(db, asking, signed)
  const { email: actor, operator_id: actorId, name } = proof.passkey
  const { address } = caller
  return usingPasskey(db, proof, address, async (tx) => {
    const cookie = await startLogIn(tx, actorId, caller)
    await recordAction(
      tx,
      { actor, actorId, address },
      {
        action: 'operator.log_in',
        subject: actor,
        after: { means: 'passkey', passkey: name },
      },
    )
    return cookie
  })
}
