import type { AuthStep } from '@coffer/contract/widget-api'
import { ServiceError } from '../service-error.ts'
import { createLink, type StepTools } from './take-next-step.ts'
import { redeemTicket } from './ticket.ts'

/** If the response is lost, the person logs in again and the link exists. */
export async function agree(tools: StepTools, token: string): Promise<AuthStep> {
  const ticket = await redeemTicket(tools.db, token, 'consent')
  if (!ticket?.clientAppId || !ticket.serviceUserId) throw new ServiceError('LOGIN_REQUIRED')
  const { clientAppId, challenge } = ticket
  return createLink(tools, { clientAppId, challenge }, ticket.serviceUserId)
}
