import type pg from 'pg'
import { recordAction } from '../record-action.ts'
import { startLogIn, type Caller } from '../require-operator.ts'
import type { PasskeyCeremony } from '../../identity/passkeys/create-challenge.ts'
import { checkPasskey, usingPasskey } from './use-passkey.ts'
import type { PasskeySignature } from '../../identity/passkeys/verify-passkey.ts'

/** A passkey is two factors: the device, and what unlocks it. Returns the cookie. */
export async function logInByPasskey(
  db: pg.Pool,
  ceremony: PasskeyCeremony,
  signed: PasskeySignature,
  caller: Caller,
): Promise<string> {
  const proof = await checkPasskey(db, ceremony, signed)
  const { email: actor, operatorId: actorId, name } = proof.passkey
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
