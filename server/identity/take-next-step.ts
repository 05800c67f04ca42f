import type { AuthStep } from '@coffer/contract/widget-api'
import type { Context } from '../context.ts'
import { verificationCode } from '../mail/messages.ts'
import { issueLinkCode } from './exchange-link-code.ts'
import { link, toServiceUserId } from './link.ts'
import { findLiveLink, type PersonRow } from './queries.ts'
import { throttle } from './throttle-attempts.ts'
import { issueCode, issueTicket } from './ticket.ts'

export type StepTools = Pick<Context, 'db' | 'mailer'>

/** Where a person who proved who they are goes from here: an unverified e-mail first, then consent, then done. */
export async function takeNextStep(
  { db, mailer }: StepTools,
  person: PersonRow,
  clientAppId: bigint,
): Promise<AuthStep> {
  const serviceUserId = person.service_user_id
  if (mailer && person.email_verified_at === null) {
    await throttle(db, 'mail', person.email)
    const asked = { purpose: 'verify_email', clientAppId, serviceUserId } as const
    const { ticket, code } = await issueCode(db, asked)
    mailer.send(person.email, verificationCode(code))
    return { step: 'verify', ticket }
  }
  const { rows } = await db.query<{ public_id: string }>(findLiveLink(clientAppId, serviceUserId))
  if (rows[0]) return showLink({ db }, toServiceUserId(rows[0].public_id))
  const ticket = await issueTicket(db, { purpose: 'consent', clientAppId, serviceUserId })
  return { step: 'consent', ticket, firstName: person.first_name }
}

/** Makes the link that the person agreed to. */
export async function makeLink(
  { db }: Pick<StepTools, 'db'>,
  clientAppId: bigint,
  serviceUserId: bigint,
): Promise<AuthStep> {
  return showLink({ db }, await link(db, clientAppId, serviceUserId))
}

async function showLink({ db }: Pick<StepTools, 'db'>, serviceUserId: string): Promise<AuthStep> {
  return { step: 'linked', serviceUserId, linkCode: await issueLinkCode(db, serviceUserId) }
}
