import type { AuthStep } from '@coffer/contract/widget/widget'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { issueLinkCode } from './exchange-link-code.ts'
import { link, toServiceUserId } from './link.ts'
import { notifyOwner } from './notify-owner.ts'
import { readAppName, type Person } from './queries.ts'
import { findLiveLink } from './link-queries.ts'
import { throttle } from './throttle-attempts.ts'
import { issueCode, issueTicket } from './ticket.ts'
import type { Addressee } from './warning-link-queries.ts'

export type StepTools = Pick<Context, 'db' | 'mailer' | 'config'>

/** What the page asked for at the first step. */
export interface LinkRequest {
  clientAppId: bigint
  /** SHA-256 of the verifier that the app's backend keeps. Without it, the person gets no link code. */
  challenge?: string | null | undefined
}

/**
 * The step after the login: verify the email if it is unverified, then consent, then done. A person who agreed before
 * the last change of the password agrees again, because somebody else may have linked the app. If the password changes
 * in the meantime, this throws LOGIN_FAILED and issues nothing.
 */
export async function takeNextStep(
  tools: StepTools,
  person: Person,
  { clientAppId, challenge }: LinkRequest,
): Promise<AuthStep> {
  const { db, mailer } = tools
  const { userId, passwordHash } = person
  const loggedIn = { clientAppId, challenge, userId, passwordHash }
  if (mailer && !person.isVerified) {
    await throttle(tools, 'mail', person.email)
    const { ticket, code } = await issueCode(db, { purpose: 'verify_email', ...loggedIn })
    mailer.send(person.email, chooseMails(person.language).verificationCode(code))
    return { step: 'verify', ticket }
  }
  const found = await one(db, findLiveLink(clientAppId, userId))
  if (found?.isAgreed) {
    const id = toServiceUserId(found.publicId)
    const linked = await showLink(tools, id, challenge, passwordHash)
    await notifyOfLink(tools, clientAppId, person)
    return linked
  }
  const ticket = await issueTicket(db, { purpose: 'consent', ...loggedIn })
  return { step: 'consent', ticket, firstName: person.firstName }
}

/** Creates the link that the person agreed to. `passwordHash`: the one that they logged in with, if they did. */
export async function createLink(
  { db }: Pick<StepTools, 'db'>,
  { clientAppId, challenge }: LinkRequest,
  userId: bigint,
  passwordHash: string | null = null,
): Promise<AuthStep> {
  const linked = await link(db, clientAppId, userId, passwordHash)
  return showLink({ db }, linked, challenge, passwordHash)
}

export async function notifyOfLink(tools: StepTools, clientAppId: bigint, owner: Addressee) {
  const name = await one(tools.db, readAppName(clientAppId))
  await notifyOwner(tools, owner, (mails, warning) => mails.appLinked(name, warning))
}

async function showLink(
  { db }: Pick<StepTools, 'db'>,
  serviceUserId: string,
  challenge: LinkRequest['challenge'],
  passwordHash: string | null,
): Promise<AuthStep> {
  if (!challenge) return { step: 'linked', serviceUserId }
  const linkCode = await issueLinkCode(db, serviceUserId, challenge, passwordHash)
  return { step: 'linked', serviceUserId, linkCode }
}
