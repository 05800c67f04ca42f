import type { Language } from '@coffer/contract/languages'
import type { AuthStep } from '@coffer/contract/widget/widget'
import { one } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { findPerson } from './queries.ts'
import { createLink, notifyOfLink, type StepTools } from './take-next-step.ts'
import { redeemTicket } from './ticket.ts'
import { withLanguage } from './with-language.ts'

/** If the response is lost, the person logs in again and the link exists. */
export async function agree(
  tools: StepTools,
  token: string,
  language: Language | null,
): Promise<AuthStep> {
  const ticket = await redeemTicket(tools.db, token, 'consent')
  if (!ticket?.clientAppId || !ticket.userId) throw new ServiceError('LOGIN_REQUIRED')
  const { clientAppId, challenge, userId, passwordHash } = ticket
  const request = { clientAppId, challenge }
  const linked = await createLink(tools, request, userId, passwordHash).catch(toLoginRequired)
  const person = await one(tools.db, findPerson(userId))
  if (person) await notifyOfLink(tools, clientAppId, withLanguage(person, language))
  return linked
}

/** The password was changed, or the account was deleted, after the ticket was used up. */
function toLoginRequired(error: unknown): never {
  const isPasswordChanged = error instanceof ServiceError && error.code === 'LOGIN_FAILED'
  throw isPasswordChanged ? new ServiceError('LOGIN_REQUIRED') : error
}
