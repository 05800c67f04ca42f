import type { Language } from '@coffer/contract/languages'
import type { AuthStep } from '@coffer/contract/widget/widget'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { findPerson, markVerified } from './queries.ts'
import { createAccount, type SignUpTools } from './sign-up.ts'
import { createLink, takeNextStep } from './take-next-step.ts'
import { redeemCode } from './ticket.ts'
import type { Ticket } from './ticket-queries.ts'
import { withLanguage } from './with-language.ts'

/**
 * The code creates the account, or verifies one that was created while no mailer was configured. A new account keeps
 * the language of the browser.
 */
export async function verifyEmail(
  tools: SignUpTools,
  token: string,
  code: string,
  language: Language | null,
): Promise<AuthStep> {
  const { db } = tools
  const ticket = await redeemCode(db, token, code, 'sign_up', 'verify_email')
  const { clientAppId, challenge, userId } = ticket
  if (clientAppId === null) throw new ServiceError('CODE_INVALID')
  if (userId === null) {
    const user = await createAccount(tools, toPerson(ticket, language)).catch(toCodeInvalid)
    return createLink(tools, { clientAppId, challenge }, user.id)
  }
  await run(db, markVerified(userId))
  const person = await one(db, findPerson(userId))
  if (person === undefined) throw new ServiceError('CODE_INVALID')
  const passwordHash = ticket.passwordHash ?? person.passwordHash
  const request = { clientAppId, challenge }
  const holder = withLanguage({ ...person, passwordHash }, language)
  return takeNextStep(tools, holder, request).catch(toCodeInvalid)
}

/** The code of a sign-up at /account, which no client app started, creates the account. Returns its id. */
export async function verifySignUp(
  tools: SignUpTools,
  token: string,
  code: string,
  language: Language | null,
): Promise<bigint> {
  const ticket = await redeemCode(tools.db, token, code, 'sign_up')
  if (ticket.clientAppId !== null) throw new ServiceError('CODE_INVALID')
  const user = await createAccount(tools, toPerson(ticket, language)).catch(toCodeInvalid)
  return user.id
}

function toPerson(ticket: Ticket, language: Language | null) {
  return {
    firstName: ticket.firstName ?? '',
    lastName: ticket.lastName ?? '',
    email: ticket.email ?? '',
    passwordHash: ticket.passwordHash,
    isVerified: true,
    language,
  }
}

/**
 * The person signed up twice and entered both codes: the first one created the account. Or the password was changed
 * after the code was used up.
 */
function toCodeInvalid(error: unknown): never {
  const isExpected =
    error instanceof ServiceError && ['EMAIL_TAKEN', 'LOGIN_FAILED'].includes(error.code)
  throw isExpected ? new ServiceError('CODE_INVALID') : error
}
