import { checkNewPassword } from '../../identity/check-new-password.ts'
import { asKnown } from '../../identity/recognize-device.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { deleteTicketsOf } from '../log-in-queries.ts'
import { deleteOtherLogIns, findActiveOperator, setOwnPassword } from './queries.ts'

/** Ends every other login, and logins that were started with the old password can no longer be finished. */
export async function changeOwnPassword(
  { db, passwords, config }: Pick<Context, 'db' | 'passwords' | 'config'>,
  { operator, record, network }: Pick<AdminCall, 'operator' | 'record' | 'network'>,
  newPassword: string,
): Promise<void> {
  const { operatorId, logInId, email } = operator
  checkNewPassword(newPassword, email, config.passwordMin)
  const current = await one(db, findActiveOperator(operatorId))
  const caller = asKnown(network, logInId, email)
  // Keeping the old password is no change, and the initial one is known to the operator who handed it over.
  if (await passwords.isRight(newPassword, current?.passwordHash, caller)) {
    throw new ServiceError('PASSWORD_REFUSED')
  }
  const passwordHash = await passwords.hash(newPassword, caller)
  await inTransaction(db, async (tx) => {
    const changed = await run(tx, setOwnPassword(operatorId, passwordHash))
    if (changed !== 1) throw new ServiceError('LOGIN_REQUIRED')
    await run(tx, deleteTicketsOf(operatorId))
    const endedLogIns = await run(tx, deleteOtherLogIns(logInId, operatorId))
    const after = { endedLogIns }
    await record(tx, { action: 'operator.change_password', subject: email, after })
  })
}
