/** The operators' area. Everything here needs an operator's own log-in; what each role may do stands with the endpoint. */
import * as apps from './admin-app-endpoints.ts'
import * as audit from './admin-audit-endpoints.ts'
import * as door from './admin-door-endpoints.ts'
import * as logIn from './admin-log-in-endpoints.ts'
import * as money from './admin-money-endpoints.ts'
import * as operations from './admin-operation-endpoints.ts'
import * as operators from './admin-operator-endpoints.ts'
import * as overview from './admin-overview-endpoints.ts'
import * as people from './admin-people-endpoints.ts'
import { PASSKEY_DOOR_ENDPOINTS, SELF_ENDPOINTS } from './admin-self-endpoints.ts'
import * as switches from './admin-switch-endpoints.ts'
import * as topups from './admin-topup-endpoints.ts'

export * from './admin-app-endpoints.ts'
export * from './admin-audit-endpoints.ts'
export * from './admin-door-endpoints.ts'
export * from './admin-log-in-endpoints.ts'
export * from './admin-money-endpoints.ts'
export * from './admin-operation-endpoints.ts'
export * from './admin-operator-endpoints.ts'
export * from './admin-overview-endpoints.ts'
export * from './admin-people-endpoints.ts'
export * from './admin-self-endpoints.ts'
export * from './admin-switch-endpoints.ts'
export * from './admin-topup-endpoints.ts'
export { ROLES, type AdminEndpoint, type Role } from './admin-endpoint.ts'

export const ADMIN_DOOR_ENDPOINTS = { ...door, ...PASSKEY_DOOR_ENDPOINTS }

export const ADMIN_ENDPOINTS = {
  ...logIn,
  ...SELF_ENDPOINTS,
  ...overview,
  ...operators,
  ...apps,
  ...people,
  ...money,
  ...operations,
  ...topups,
  ...switches,
  ...audit,
}
