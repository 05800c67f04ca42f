import type pg from 'pg'
import { run } from '../../database/statement.ts'
import type { AdminCall } from '../access.ts'
import type { PasskeyCeremony } from '../../identity/passkeys/create-challenge.ts'
import { confirmLogIn } from './queries.ts'
import { checkPasskey, usingPasskey } from './use-passkey.ts'
import type { PasskeySignature } from '../../identity/passkeys/verify-passkey.ts'

/** Only accepts the operator's own passkeys: another operator's passkey proves nothing about this one. */
export async function confirmByPasskey(
  db: pg.Pool,
  ceremony: PasskeyCeremony,
  { operator, record, address }: Pick<AdminCall, 'operator' | 'record' | 'address'>,
  signed: PasskeySignature,
): Promise<void> {
  const proof = await checkPasskey(db, ceremony, signed, operator.operatorId)
  await usingPasskey(db, proof, address, async (tx) => {
    await run(tx, confirmLogIn(operator.logInId))
    const after = { means: 'passkey', passkey: proof.passkey.name }
    await record(tx, { action: 'operator.confirm', subject: operator.email, after })
  })
}
