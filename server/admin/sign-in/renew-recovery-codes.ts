import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { hashRecoveryCode } from '../seal-seed.ts'
import { generateRecoveryCodes } from './authenticator-codes.ts'
import type { LogInTools } from './log-in.ts'
import { findActiveOperator, lockActiveOperator, setRecoveryCodes } from './queries.ts'

/** Returns the new codes, which are shown once. The old ones stop working. */
export async function renewRecoveryCodes(
  { db, keys }: Pick<LogInTools, 'db' | 'keys'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
): Promise<string[]> {
  const { operatorId: id, email: subject } = operator
  const codes = generateRecoveryCodes()
  await inTransaction(db, async (tx) => {
    await run(tx, lockActiveOperator(id))
    const keyId = (await one(tx, findActiveOperator(id)))?.seed?.keyId ?? ''
    const hmacs = keyId === '' ? [] : codes.map((code) => hashRecoveryCode(keys, keyId, id, code))
    const changed = await run(tx, setRecoveryCodes(id, keyId, hmacs))
    // An owner reset the authenticator in the meantime, which ends the login too.
    if (changed !== 1) throw new ServiceError('LOGIN_REQUIRED')
    await record(tx, { action: 'operator.renew_recovery_codes', subject })
  })
  return codes
}
