/** The operators' area. Everything here needs an operator's own log-in; what each role may do stands with the endpoint. */
import * as apps from './client-apps.ts'
import * as audit from './audit.ts'
import * as door from './door.ts'
import * as logIn from './log-in.ts'
import * as money from './grants.ts'
import * as operations from './operations.ts'
import * as operators from './operators.ts'
import * as overview from './overview.ts'
import * as people from './people.ts'
import { PASSKEY_DOOR_ENDPOINTS, SELF_ENDPOINTS } from './self.ts'
import * as switches from './switches.ts'
import * as topups from './topups.ts'

export * from './client-apps.ts'
export * from './audit.ts'
export * from './door.ts'
export * from './log-in.ts'
export * from './grants.ts'
export * from './operations.ts'
export * from './operators.ts'
export * from './overview.ts'
export * from './people.ts'
export * from './self.ts'
export * from './switches.ts'
export * from './topups.ts'
export { ROLES, type AdminEndpoint, type Role } from './endpoint.ts'

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
