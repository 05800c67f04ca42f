import type pg from 'pg'
import type { AdminCall } from '../access.ts'
import type { Asking } from './create-passkey-challenge.ts'
import { confirmLogIn } from '../log-in-queries.ts'
import { checkPasskey, usingPasskey } from './use-passkey.ts'
import type { Signed } from './verify-passkey.ts'

/** With one of the operator's own: a colleague's proves that the colleague is there. */
export async function confirmByPasskey(
  db: pg.Pool,
  asking: Asking,
  { operator, record, address }: Pick<AdminCall, 'operator' | 'record' | 'address'>,
  signed: Signed,
): Promise<void> {
  const proof = await checkPasskey(db, asking, signed, operator.operatorId)
  await usingPasskey(db, proof, address, async (tx) => {
    await tx.query(confirmLogIn(operator.logInId))
    const after = { means: 'passkey', passkey: proof.passkey.name }
    await record(tx, { action: 'operator.confirm', subject: operator.email, after })
  })
}
