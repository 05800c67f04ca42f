/** An input that each endpoint of the admin area accepts. */
import type { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import * as ownSignIn from '@coffer/contract/admin/own-sign-in'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { askAs, beginLogIn, freshCode } from './admin-setup.ts'
import { withTopup } from './admin-topup-setup.ts'
import { Authenticator } from './authenticator.ts'
import type { ContractService, MakeInput } from './contract-service.ts'
import { IDLE_SETTINGS, makeIdleWebhook } from './events/webhook-setup.ts'
import { makeClientApp } from './factories.ts'
import { grantFields, makeHold, makeSuspendedHold, plantOpenGrant } from './grant-setup.ts'
import { requestLogInChallenge, askToConfirm, askToMake, givePasskey } from './passkey-setup.ts'
import { call } from './setup.ts'
import { inventEmail } from './sign-in.ts'

const reason = 'Paid twice, ticket 4711'
const nothing = () => ({})
const personId = ({ person }: ContractService) => ({ id: String(person.id) })
const appId = ({ app }: ContractService) => ({ clientId: app.clientId })

function appSettings() {
  const origin = `https://${randomBytes(8).toString('hex')}.example`
  return {
    name: 'New shop',
    scopes: ['wallet:read'],
    allowedOrigins: [origin],
    allowedIframeParents: [origin],
    accentColor: '#0a7c66',
  }
}

async function webhook({ harness }: ContractService) {
  return makeIdleWebhook(harness, await makeClientApp(harness.context))
}

async function period({ harness }: ContractService) {
  const { clientId } = await makeClientApp(harness.context)
  const day = new Date().toISOString().slice(0, 10)
  return { clientId, from: day, to: day }
}

export const ADMIN_INPUTS: Readonly<
  Record<keyof typeof ADMIN_SIGN_IN_ENDPOINTS | keyof typeof ADMIN_ENDPOINTS, MakeInput>
> = {
  logInToAdmin: ({ operator: { email, password } }) => ({ email, password }),
  finishAdminLogIn: async ({ harness, operator }) => {
    const ticket = await beginLogIn(harness, operator)
    return { ticket, code: await freshCode(harness, operator) }
  },
  beginPasskeyLogIn: nothing,
  logInByPasskey: async (service) => {
    const key = await givePasskey(service, service.owner)
    return { passkey: key.sign(await requestLogInChallenge(service)) }
  },
  logOutOfAdmin: nothing,
  confirmOperator: async ({ harness, viewer }) => ({
    password: viewer.password,
    code: await freshCode(harness, viewer),
  }),
  readOperator: nothing,
  beginPasskeyConfirmation: nothing,
  confirmByPasskey: async (service) => {
    const key = await givePasskey(service, service.viewer)
    return { passkey: key.sign(await askToConfirm(service, service.viewer)) }
  },

  readSignIn: nothing,
  beginPasskey: nothing,
  addPasskey: async (service) => ({
    name: 'Phone',
    passkey: new Authenticator().make(await askToMake(service, service.viewer)),
  }),
  removePasskey: async (service) => {
    await givePasskey(service, service.viewer)
    const response = await askAs(service, service.viewer, ownSignIn.readSignIn)
    const { passkeys } = response.json<{ passkeys: { id: string }[] }>()
    return { id: passkeys.at(-1)?.id ?? assert.fail() }
  },
  changeOwnPassword: () => ({ newPassword: 'seven quiet lighthouses' }),
  renewRecoveryCodes: nothing,
  endOwnLogIn: () => ({ id: randomUUID() }),
  endOtherLogIns: nothing,

  readOverview: () => ({ period: '7d' }),

  listOperators: nothing,
  createOperator: () => ({ email: inventEmail(), name: 'Piet Test', role: 'operator' }),
  changeOperator: ({ viewer }) => ({ id: String(viewer.id), role: 'viewer' }),

  listClientApps: nothing,
  readClientApp: appId,
  listAppEvents: appId,
  createClientApp: () => ({ ...appSettings(), creditLimit: '10.00' }),
  changeClientApp: async ({ harness }) => ({
    clientId: (await makeClientApp(harness.context)).clientId,
    ...appSettings(),
  }),
  listWebhooks: appId,
  createWebhook: async ({ harness }) => ({
    clientId: (await makeClientApp(harness.context)).clientId,
    ...IDLE_SETTINGS,
  }),
  changeWebhook: async (service) => ({
    ...(await webhook(service)),
    ...IDLE_SETTINGS,
    isEnabled: false,
  }),
  deleteWebhook: webhook,
  rotateWebhookSecret: async (service) => ({ ...(await webhook(service)), overlap: '1h' }),
  testWebhook: webhook,
  listDeliveries: webhook,
  resendEvents: async (service) => ({
    ...(await webhook(service)),
    since: new Date(Date.now() - 60_000).toISOString(),
  }),
  setDebitAlert: (service) => ({ ...appId(service), above: '500', pauses: false }),
  activateClientApp: (service) => ({ ...appId(service), isActive: true }),
  rotateClientSecret: (service) => ({ ...appId(service), overlap: '1h' }),
  replaceClientSecret: async ({ harness }) => ({
    clientId: (await makeClientApp(harness.context, { contactEmails: [inventEmail()] })).clientId,
  }),
  revokeClientSecret: async ({ harness }) => {
    const app = await makeClientApp(harness.context)
    const { rows } = await harness.admin.query<{ id: string }>(
      'select id from directory.client_secrets where client_app_id = $1',
      [app.id],
    )
    return { clientId: app.clientId, secretId: rows[0]?.id }
  },
  readStatement: period,
  exportStatement: period,

  listPeople: nothing,
  readPerson: personId,
  readPersonHistory: personId,
  exportPersonHistory: personId,
  freezeWallet: (service) => ({ ...personId(service), isFrozen: true, reason }),
  allowHold: makeSuspendedHold,
  erasePerson: (service) => ({ ...personId(service), reason }),

  proposeGrant: (service) => grantFields(service),
  releaseHold: async (service) => (await makeHold(service)).fields,
  listGrants: nothing,
  approveGrant: async (service) => ({ id: (await plantOpenGrant(service)).id }),
  declineGrant: async (service) => ({ id: (await plantOpenGrant(service)).id, reason }),

  lookUpOperation: async (service) => {
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    const { serviceUserId } = service.user
    await call(service, debit, { serviceUserId, amount: '1.00', ...pair })
    return { ...appId(service), ...pair }
  },
  listOperations: nothing,

  listTopups: nothing,
  readTopup: async (service) => ({ id: (await withTopup(service)).id }),
  refundTopup: async (service) => {
    const topupId = (await withTopup(service)).id
    return { refundId: randomUUID(), topupId, amount: '5.00', reason }
  },

  readSwitches: nothing,
  pauseWrites: () => ({ isPaused: false }),
  pauseClientApp: (service) => ({ ...appId(service), isPaused: false }),
  readKeys: nothing,

  readAudit: nothing,
  exportAudit: nothing,
}
