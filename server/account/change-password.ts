import { checkNewPassword } from '../identity/check-new-password.ts'
import { deleteLinkCodes, type Person, setPassword } from '../identity/queries.ts'
import type { Caller } from '../identity/queue-fairly.ts'
import { deleteTickets } from '../identity/ticket-queries.ts'
import { issueWarningLink } from '../identity/warning-link.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { run } from '../database/statement.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { ServiceError } from '../service-error.ts'
import { deleteOtherLogIns, type LoggedIn } from './log-in-queries.ts'

/** Ends everything that the old password started, except the login that changes it. */
export async function changePassword(
  { db, passwords, config, mailer }: Context,
  { logInId, userId, email, language }: LoggedIn,
  { passwordHash: currentHash }: Pick<Person, 'passwordHash'>,
  newPassword: string,
  caller: Caller,
): Promise<void> {
  checkNewPassword(newPassword, email, config.passwordMin)
  const passwordHash = await passwords.hash(newPassword, caller)
  await inTransaction(db, async (tx) => {
    // A reset in the meantime wins: whoever knew the old password must not undo it.
    const changed = await run(tx, setPassword(userId, passwordHash, currentHash))
    if (changed !== 1) throw new ServiceError('LOGIN_FAILED')
    await run(tx, deleteOtherLogIns(logInId, userId))
    await run(tx, deleteTickets(userId))
    await run(tx, deleteLinkCodes(userId))
  })
  // Not rate-limited: otherwise an attacker could suppress this notice.
  if (mailer === undefined) return
  const warningLink = await issueWarningLink({ db, config }, { userId, email })
  mailer.send(email, chooseMails(language).passwordChanged(warningLink))
}
