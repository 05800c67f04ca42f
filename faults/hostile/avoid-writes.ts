/**
 * No request may be both valid and a change. Then any change comes from a request that should have been refused. This
 * file decides, from the final bytes, which requests would change something if they were accepted.
 */
import type { Fixtures } from './create-fixtures.ts'
import type { Route } from './list-routes.ts'

/**
 * Why a well-formed call has no effect, although the caller may make it: it names something that does not exist (the
 * field), or it needs a secret that no caller has.
 */
const HARMLESS: Record<string, { names: string } | 'needs a secret'> = {
  debit: { names: 'serviceUserId' },
  credit: { names: 'serviceUserId' },
  hold: { names: 'serviceUserId' },
  createSession: { names: 'serviceUserId' },
  exchangeLinkCode: 'needs a secret',
  confirmTopup: 'needs a secret',
  listWidgetCards: 'needs a secret',
  createCardIntent: 'needs a secret',
  confirmOwnTopup: 'needs a secret',
  setDefaultCard: { names: 'id' },
  removeCard: { names: 'id' },
  setAutomaticTopup: 'needs a secret',
  signUp: { names: 'clientId' },
  forgotPassword: { names: 'clientId' },
  logIn: 'needs a secret',
  agree: 'needs a secret',
  verifyEmail: 'needs a secret',
  verifySignUp: 'needs a secret',
  logInToAccount: 'needs a secret',
  resetAccountPassword: 'needs a secret',
  undoEmailChange: 'needs a secret',
  secureAccount: 'needs a secret',
  beginWidgetPasskeyLogIn: { names: 'clientId' },
  logInToWidgetByPasskey: 'needs a secret',
  logInToAccountByPasskey: 'needs a secret',
  beginAccountPasskey: 'needs a secret',
  addAccountPasskey: 'needs a secret',
  removeAccountPasskey: 'needs a secret',
  renameAccountPasskey: { names: 'id' },
  logInToAdmin: 'needs a secret',
  finishAdminLogIn: 'needs a secret',
  logInByPasskey: 'needs a secret',
  confirmByPasskey: 'needs a secret',
  confirmOperator: 'needs a secret',
  addPasskey: 'needs a secret',
  verifyNewEmail: 'needs a secret',
  changeEmail: 'needs a secret',
  changePassword: 'needs a secret',
  deleteAccount: 'needs a secret',
  endLogIn: { names: 'id' },
  unlinkApp: { names: 'clientId' },
  setSpendLimit: { names: 'clientId' },
  endOwnLogIn: { names: 'id' },
  removePasskey: { names: 'id' },
  changeClientApp: { names: 'clientId' },
  activateClientApp: { names: 'clientId' },
  setDebitAlert: { names: 'clientId' },
  createOwnWebhook: 'needs a secret',
  changeOwnWebhook: { names: 'webhookId' },
  deleteOwnWebhook: { names: 'webhookId' },
  rotateOwnWebhookSecret: { names: 'webhookId' },
  testOwnWebhook: { names: 'webhookId' },
  resendOwnEvents: { names: 'webhookId' },
  createWebhook: { names: 'clientId' },
  changeWebhook: { names: 'clientId' },
  deleteWebhook: { names: 'clientId' },
  rotateWebhookSecret: { names: 'clientId' },
  testWebhook: { names: 'clientId' },
  resendEvents: { names: 'clientId' },
  rotateClientSecret: { names: 'clientId' },
  revokeClientSecret: { names: 'clientId' },
  replaceClientSecret: { names: 'clientId' },
  collectClientSecret: 'needs a secret',
  pauseClientApp: { names: 'clientId' },
  changeOperator: { names: 'id' },
  freezeWallet: { names: 'id' },
  allowHold: { names: 'id' },
  erasePerson: { names: 'id' },
  refundTopup: { names: 'topupId' },
  proposeGrant: { names: 'personId' },
  releaseHold: { names: 'personId' },
  approveGrant: { names: 'id' },
  declineGrant: { names: 'id' },
}
/** These store a challenge. */
const WRITING_GETS = new Set(['beginPasskeyConfirmation', 'beginPasskey'])

export function wouldWrite(route: Route, body: string | undefined, fixtures: Fixtures): boolean {
  const { endpoint, name, method } = route
  if (endpoint === undefined) return false
  if (method === 'GET') return WRITING_GETS.has(name)
  const fields = readFields(body)
  if (fields === undefined) return false
  if (name === 'batch') return operationsOf(fields).some((each) => namesReal(each, fixtures))
  const harmless = HARMLESS[name]
  if (harmless === 'needs a secret') return false
  if (harmless !== undefined && !isReal(fields[harmless.names], fixtures)) return false
  // The service reads amounts as text, whatever their type is here.
  return endpoint.input.safeParse(withTextAmounts(fields)).success
}

function operationsOf({ operations }: Record<string, unknown>): unknown[] {
  return Array.isArray(operations) ? operations : []
}

function namesReal(operation: unknown, fixtures: Fixtures): boolean {
  const isObject = typeof operation === 'object' && operation !== null
  return isObject && 'serviceUserId' in operation && isReal(operation.serviceUserId, fixtures)
}

export function readFields(body: string | undefined): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function withTextAmounts(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'number' && key === 'amount' ? String(value) : value,
    ]),
  )
}

/** In any spelling: ids are numbers with or without leading zeros. */
function isReal(value: unknown, { real }: Fixtures): boolean {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return real.includes(
    text
      .trim()
      .toLowerCase()
      .replace(/^0+(?=\d)/, ''),
  )
}
