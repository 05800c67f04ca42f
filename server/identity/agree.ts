import type { AuthStep } from '@coffer/contract/widget-api'
import { ServiceError } from '../service-error.ts'
import { makeLink, type StepTools } from './take-next-step.ts'
import { redeemTicket } from './ticket.ts'

/** If the answer is lost, the person logs in again and finds the link made. */
export async function agree(tools: StepTools, token: string): Promise<AuthStep> {
  const ticket = await redeemTicket(tools.db, token, 'consent')
  if (!ticket?.client_app_id || !ticket.service_user_id) throw new ServiceError('LOGIN_REQUIRED')
  return makeLink(tools, ticket.client_app_id, ticket.service_user_id)
}
