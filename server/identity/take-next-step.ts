import type { AuthStep } from '@coffer/contract/widget-api'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { verificationCode } from '../mail/messages.ts'
import { issueLinkCode } from './exchange-link-code.ts'
import { link, toServiceUserId } from './link.ts'
import { findLiveLink, type Person } from './queries.ts'
import { throttle } from './throttle-attempts.ts'
import { issueCode, issueTicket } from './ticket.ts'

export type StepTools = Pick<Context, 'db' | 'mailer'>

/** What the page asked for at the first step. */
export interface LinkRequest {
  clientAppId: bigint
  /** SHA-256 of the verifier that the app's backend keeps, if it keeps one. */
  challenge?: string | null | undefined
}

/** The step after the login: verify the email if it is unverified, then consent, then done. */
export async function takeNextStep(
  { db, mailer }: StepTools,
  person: Person,
  { clientAppId, challenge }: LinkRequest,
): Promise<AuthStep> {
  const serviceUserId = person.userId
  if (mailer && !person.isVerified) {
    await throttle(db, 'mail', person.email)
    const newTicket = { purpose: 'verify_email', clientAppId, serviceUserId, challenge } as const
    const { ticket, code } = await issueCode(db, newTicket)
    mailer.send(person.email, verificationCode(code))
    return { step: 'verify', ticket }
  }
  const publicId = await one(db, findLiveLink(clientAppId, serviceUserId))
  if (publicId !== undefined) return showLink({ db }, toServiceUserId(publicId), challenge)
  const newTicket = { purpose: 'consent', clientAppId, serviceUserId, challenge } as const
  const ticket = await issueTicket(db, newTicket)
  return { step: 'consent', ticket, firstName: person.firstName }
}

/** Creates the link that the person agreed to. */
export async function createLink(
  { db }: Pick<StepTools, 'db'>,
  { clientAppId, challenge }: LinkRequest,
  serviceUserId: bigint,
): Promise<AuthStep> {
  return showLink({ db }, await link(db, clientAppId, serviceUserId), challenge)
}

async function showLink(
  { db }: Pick<StepTools, 'db'>,
  serviceUserId: string,
  challenge: LinkRequest['challenge'],
): Promise<AuthStep> {
  const linkCode = await issueLinkCode(db, serviceUserId, challenge)
  return { step: 'linked', serviceUserId, linkCode }
}
