/** Who may call what in the admin area, and what each endpoint answers to a request without any field. */
import type { ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import type { Role } from '@coffer/contract/admin/endpoint'

export type EndpointName = keyof typeof ADMIN_ENDPOINTS

interface Rule {
  /** The lowest role that may call it. */
  role: Role
  needsConfirmation: boolean
  /** `done`: no field is required. `skipped`: another command calls it, because it changes something. */
  toNothing: 'done' | 'incomplete' | 'skipped'
  /** What it writes to the audit log then; the subject is the operator, unless it is null. */
  audit?: { action: string; isAboutOperator: boolean }
}

const read = { role: 'viewer', needsConfirmation: false, toNothing: 'done' } as const
const readOne = { role: 'viewer', needsConfirmation: false, toNothing: 'incomplete' } as const
const own = { role: 'viewer', needsConfirmation: true, toNothing: 'incomplete' } as const
const act = { role: 'operator', needsConfirmation: false, toNothing: 'incomplete' } as const
const risk = { role: 'operator', needsConfirmation: true, toNothing: 'incomplete' } as const
const rule = { role: 'owner', needsConfirmation: true, toNothing: 'incomplete' } as const

export const RULES: Readonly<Record<EndpointName, Rule>> = {
  logOutOfAdmin: { ...read, toNothing: 'skipped' },
  confirmOperator: readOne,
  readOperator: read,
  beginPasskeyConfirmation: { ...read, toNothing: 'skipped' },
  confirmByPasskey: readOne,

  readSignIn: read,
  beginPasskey: { ...own, toNothing: 'done' },
  addPasskey: own,
  removePasskey: own,
  changeOwnPassword: own,
  renewRecoveryCodes: {
    ...own,
    toNothing: 'done',
    audit: { action: 'operator.renew_recovery_codes', isAboutOperator: true },
  },
  endOwnLogIn: readOne,
  endOtherLogIns: {
    ...read,
    audit: { action: 'operator.end_other_log_ins', isAboutOperator: true },
  },

  readOverview: readOne,

  listOperators: read,
  createOperator: rule,
  changeOperator: rule,

  listClientApps: read,
  readClientApp: readOne,
  createClientApp: risk,
  changeClientApp: risk,
  activateClientApp: risk,
  rotateClientSecret: risk,
  replaceClientSecret: risk,
  revokeClientSecret: risk,
  setDebitAlert: risk,
  listAppEvents: readOne,
  readStatement: readOne,
  exportStatement: readOne,

  listWebhooks: readOne,
  createWebhook: risk,
  changeWebhook: risk,
  deleteWebhook: risk,
  rotateWebhookSecret: risk,
  testWebhook: act,
  listDeliveries: readOne,
  resendEvents: act,

  listPeople: { ...read, audit: { action: 'person.list', isAboutOperator: false } },
  readPerson: readOne,
  readPersonHistory: readOne,
  exportPersonHistory: readOne,
  freezeWallet: risk,
  allowHold: risk,
  erasePerson: rule,

  proposeGrant: risk,
  releaseHold: risk,
  listGrants: { ...read, toNothing: 'skipped' },
  approveGrant: risk,
  declineGrant: act,

  lookUpOperation: readOne,
  listOperations: { ...read, toNothing: 'skipped' },

  listTopups: read,
  readTopup: readOne,
  refundTopup: risk,

  readSwitches: read,
  pauseWrites: rule,
  pauseClientApp: risk,
  readKeys: read,

  readAudit: read,
  exportAudit: { ...read, audit: { action: 'audit.export', isAboutOperator: false } },
}

export const ENDPOINT_NAMES = Object.keys(RULES) as EndpointName[]

/** From the most rights to the least: each role includes the rights of those after it. */
const RIGHTS: readonly Role[] = ['owner', 'operator', 'viewer']

export function mayCall(role: Role, { role: lowest }: Pick<Rule, 'role'>): boolean {
  return RIGHTS.indexOf(role) <= RIGHTS.indexOf(lowest)
}
