import { checkNewPassword } from '../../identity/check-new-password.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { deleteTicketsOf } from '../log-in-queries.ts'
import { findActiveOperator, type OperatorRow } from '../operator-queries.ts'
import { deleteOtherLogIns, setOwnPassword } from './queries.ts'

/** Whoever knew the old password is out everywhere else, and nothing begun with it can be finished. */
export async function changeOwnPassword(
  { db, passwords, config }: Pick<Context, 'db' | 'passwords' | 'config'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  newPassword: string,
): Promise<void> {
  const { operatorId, logInId, email } = operator
  checkNewPassword(newPassword, email, config.passwordMin)
  const { rows } = await db.query<OperatorRow>(findActiveOperator(operatorId))
  // The old one again would be no change, and the first one is known to whoever handed it over.
  if (await passwords.isRight(newPassword, rows[0]?.password_hash)) {
    throw new ServiceError('PASSWORD_REFUSED')
  }
  const passwordHash = await passwords.hash(newPassword)
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(setOwnPassword(operatorId, passwordHash))
    if (rowCount !== 1) throw new ServiceError('LOGIN_REQUIRED')
    await tx.query(deleteTicketsOf(operatorId))
    const ended = await tx.query(deleteOtherLogIns(logInId, operatorId))
    const after = { endedLogIns: ended.rowCount }
    await record(tx, { action: 'operator.change_password', subject: email, after })
  })
}
