import type { Language } from '@coffer/contract/languages'
import { RESET_LINK_MINUTES } from '@coffer/contract/limits'
import type pg from 'pg'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { ServiceError } from '../service-error.ts'
import { accountUrl } from './account-url.ts'
import { checkNewPassword } from './check-new-password.ts'
import { endAccess } from './end-access.ts'
import { notifyOwner } from './notify-owner.ts'
import { findPerson, findPersonByEmail, markVerified, setPassword, type Person } from './queries.ts'
import type { Caller } from './queue-fairly.ts'
import { asKnown } from './recognize-device.ts'
import type { SignUpTools } from './sign-up.ts'
import { clearFailures, scopeOf, throttle } from './throttle-attempts.ts'
import { issueTicket, readTicket, redeemTicket } from './ticket.ts'
import { withLanguage } from './with-language.ts'

/**
 * Sends a link with a ticket of 192 random bits. It cannot be guessed, so attempts are not counted: with such a limit,
 * a stranger could keep the owner from using it. The response does not depend on whether the email has an account; only
 * its owner learns that.
 */
export async function forgotPassword(
  { db, mailer, config }: Pick<SignUpTools, 'db' | 'mailer' | 'config'>,
  email: string,
  language: Language | null,
): Promise<void> {
  await throttle({ db, config }, 'reset', email)
  // Sign-ups and changes of the address count, too, but send no link: they must not keep the owner from getting one.
  await throttle({ db, config }, 'mail', email).catch(ignoreLimit)
  const person = await one(db, findPersonByEmail(email))
  const newTicket = { purpose: 'reset_link', userId: person?.userId ?? null, email } as const
  const ticket = await issueTicket(db, newTicket, RESET_LINK_MINUTES).catch(ignoreEmailChanged)
  if (person === undefined || ticket === undefined) return
  // After the #, so that no server and no log gets it.
  const link = `${accountUrl(config)}#reset?ticket=${ticket}`
  mailer?.send(person.email, chooseMails(person.language ?? language).resetLink(link))
}

function ignoreLimit(error: unknown): void {
  const isLimit = error instanceof ServiceError && error.code === 'RATE_LIMITED'
  if (!isLimit) throw error
}

/** The person changed the address in the meantime, so no account has the old one. */
function ignoreEmailChanged(error: unknown): undefined {
  const isEmailChanged = error instanceof ServiceError && error.code === 'LOGIN_FAILED'
  if (!isEmailChanged) throw error
}

/**
 * Ends everything that the old password started: logins, sign-ins in the widget, link codes, passkeys, automatic
 * top-up. Apps stay linked: the person may have linked them. The reset link was sent by email, so it also verifies the
 * address.
 */
export async function resetPassword(
  tools: SignUpTools,
  input: { ticket: string; password: string; language: Language | null },
  caller: Caller,
): Promise<Person> {
  const { db, passwords, config } = tools
  const found = await readTicket(db, input.ticket, 'reset_link')
  if (!found?.userId) throw new ServiceError('CODE_INVALID')
  // A rejected password does not use up the ticket.
  checkNewPassword(input.password, found.email ?? '', config.passwordMin)
  const owner = asKnown(caller.network, 'reset link', found.email ?? '')
  const passwordHash = await passwords.hash(input.password, owner)
  const ticket = await redeemTicket(db, input.ticket, 'reset_link')
  if (!ticket?.userId) throw new ServiceError('CODE_INVALID')
  const { userId } = ticket
  await inTransaction(db, (tx) => replacePassword(tx, userId, passwordHash))
  return finishReset(tools, { userId, passwordHash, language: input.language }, caller)
}

export async function replacePassword(tx: pg.ClientBase, userId: bigint, passwordHash: string) {
  await run(tx, setPassword(userId, passwordHash))
  await run(tx, markVerified(userId))
  await endAccess(tx, userId)
}

/** Notifies the owner and returns the person, who can log in now. `language`: of the browser. */
export async function finishReset(
  { db, config, mailer }: Pick<SignUpTools, 'db' | 'config' | 'mailer'>,
  { userId, passwordHash, language }: Pick<Person, 'userId' | 'passwordHash' | 'language'>,
  caller: Caller,
): Promise<Person> {
  const person = await one(db, findPerson(userId))
  if (person === undefined) throw new ServiceError('CODE_INVALID')
  await clearFailures({ db, config }, 'log-in', person.email, scopeOf(config.peppers, caller))
  await notifyOwner({ db, mailer, config }, withLanguage(person, language), (mails, warning) =>
    mails.passwordReset(accountUrl(config), warning),
  )
  // This one and not the stored one, which somebody else may have set in the meantime.
  return { ...person, passwordHash }
}
