/** Every endpoint of the contract, and who calls it. */
import { ACCOUNT_ENDPOINTS } from '@coffer/contract/account/account'
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import { CLIENT_SECRET_ENDPOINTS } from '@coffer/contract/client-secret'
import type { Endpoint } from '@coffer/contract/endpoint'
import { ERRORS, type ErrorCode } from '@coffer/contract/errors'
import { SERVER_ENDPOINTS } from '@coffer/contract/server/wallet'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget/widget'
import { WIDGET_CARD_ENDPOINTS } from '@coffer/contract/widget/cards'

const ALL = {
  ...SERVER_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...WIDGET_PAGE_ENDPOINTS,
  ...WIDGET_CARD_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...CLIENT_SECRET_ENDPOINTS,
  ...ADMIN_SIGN_IN_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
}
export type EndpointName = keyof typeof ALL
export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = ALL

/**
 * app: a client app with its credentials. session: a page with a widget session. page: one of our pages before
 * sign-in. person and operator: a signed-in browser.
 */
export type Caller = 'app' | 'session' | 'page' | 'person' | 'operator'

export function callerOf(endpoint: Endpoint): Caller {
  if (isAdminEndpoint(endpoint)) return 'operator'
  if ('INVALID_CLIENT' in endpoint.errors) return 'app'
  if ('INVALID_SESSION' in endpoint.errors) return 'session'
  const isAccount = Object.values<Endpoint>(ACCOUNT_ENDPOINTS).includes(endpoint)
  return isAccount && 'LOGIN_REQUIRED' in endpoint.errors ? 'person' : 'page'
}

export function isAdminEndpoint(endpoint: Endpoint): endpoint is AdminEndpoint {
  return 'role' in endpoint
}

export function statusOf(endpoint: Endpoint, code: ErrorCode): number {
  return endpoint.errors[code]?.status ?? ERRORS[code].status
}
