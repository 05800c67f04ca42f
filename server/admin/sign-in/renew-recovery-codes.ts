import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { generateRecoveryCodes } from './authenticator-codes.ts'
import type { LogInTools } from './log-in.ts'
import { findActiveOperator, type OperatorRow } from '../operator-queries.ts'
import { hashRecoveryCode } from './seal-seed.ts'
import { lockActiveOperator, setRecoveryCodes } from './queries.ts'

/** Returns the new ones, once; none of the old ones works any more. */
export async function renewRecoveryCodes(
  { db, keys }: Pick<LogInTools, 'db' | 'keys'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
): Promise<string[]> {
  const { operatorId: id, email: subject } = operator
  const codes = generateRecoveryCodes()
  await inTransaction(db, async (tx) => {
    await tx.query(lockActiveOperator(id))
    const { rows } = await tx.query<OperatorRow>(findActiveOperator(id))
    const keyId = rows[0]?.totp_key_id ?? ''
    const hmacs = keyId === '' ? [] : codes.map((code) => hashRecoveryCode(keys, keyId, id, code))
    const { rowCount } = await tx.query(setRecoveryCodes(id, keyId, hmacs))
    // Reset by an owner in this moment, which ends the log-in too.
    if (rowCount !== 1) throw new ServiceError('LOGIN_REQUIRED')
    await record(tx, { action: 'operator.renew_recovery_codes', subject })
  })
  return codes
}
