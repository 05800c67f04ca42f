/** Every role on every endpoint, in one table. */
import { ROLES, type AdminEndpoint, type Role } from '@coffer/contract/admin/endpoint'
import { ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askAs, freshCode, makeNewOperator } from '../test/admin-setup.ts'
import { openAdminTopupSetup, withTopup, type AdminTopupSetup } from '../test/admin-topup-setup.ts'
import { Authenticator } from '../test/authenticator.ts'
import { inventEmail } from '../test/sign-in.ts'
import { IDLE_SETTINGS, makeIdleWebhook } from '../test/events/webhook-setup.ts'
import { makeClientApp, makeUser } from '../test/factories.ts'
import { grantFields, makeHold, makeSuspendedHold, plantOpenGrant } from '../test/grant-setup.ts'
import { askToConfirm, askToMake, givePasskey } from '../test/passkey-setup.ts'
import { assertRefusal, type Fields } from '../test/setup.ts'

type Name = keyof typeof ADMIN_ENDPOINTS
const SETTINGS = {
  name: 'Shop',
  scopes: [],
  allowedOrigins: [],
  allowedIframeParents: [],
  accentColor: null,
}

/** So that the link to a secret can be sent; nobody has to receive it here. */
const CAN_SEND = {
  PUBLIC_URL: 'http://localhost',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'wallet@service.example',
}

const DAYS = { from: '2026-01-01', to: '2026-01-31' }

/** On a separate app: the secrets of the setup's app may have changed. */
async function makeTopup(setup: AdminTopupSetup): Promise<string> {
  const app = await makeClientApp(setup.harness.context)
  return (await withTopup({ ...setup, app })).id
}

const webhook = async ({ harness }: AdminTopupSetup) =>
  makeIdleWebhook(harness, await makeClientApp(harness.context))

/** Fields with which the request succeeds for an operator with the role. */
const FIELDS: Record<Name, (setup: AdminTopupSetup, role: Role) => Promise<Fields>> = {
  readOperator: async () => ({}),
  listOperators: async () => ({}),
  readOverview: async () => ({ period: '7d' }),
  readStatement: async ({ app }) => ({ ...DAYS, clientId: app.clientId }),
  exportStatement: async ({ app }) => ({ ...DAYS, clientId: app.clientId }),
  listClientApps: async () => ({}),
  lookUpOperation: async () => ({ referenceType: 'TOPUP', referenceId: 'pi_1' }),
  listOperations: async () => ({}),
  listTopups: async () => ({}),
  readTopup: async (setup) => ({ id: await makeTopup(setup) }),
  refundTopup: async (setup) => ({
    refundId: randomUUID(),
    topupId: await makeTopup(setup),
    amount: '5',
    reason: 'a test',
  }),
  readAudit: async () => ({}),
  exportAudit: async () => ({}),
  readClientApp: async ({ app }) => ({ clientId: app.clientId }),
  listAppEvents: async ({ app }) => ({ clientId: app.clientId }),
  confirmOperator: async ({ harness, ...setup }, role) => ({
    password: setup[role].password,
    code: await freshCode(harness, setup[role]),
  }),
  createOperator: async () => ({ email: inventEmail(), name: 'Somebody', role: 'viewer' }),
  changeOperator: async ({ harness }) => ({
    id: String((await makeNewOperator(harness, 'viewer')).id),
    role: 'operator',
  }),
  createClientApp: async () => ({ ...SETTINGS, creditLimit: '5' }),
  changeClientApp: async ({ app }) => ({ ...SETTINGS, clientId: app.clientId }),
  listWebhooks: async ({ app }) => ({ clientId: app.clientId }),
  createWebhook: async ({ harness }) => ({
    clientId: (await makeClientApp(harness.context)).clientId,
    ...IDLE_SETTINGS,
  }),
  changeWebhook: async (setup) => ({
    ...(await webhook(setup)),
    ...IDLE_SETTINGS,
    isEnabled: true,
  }),
  deleteWebhook: webhook,
  rotateWebhookSecret: async (setup) => ({ ...(await webhook(setup)), overlap: 'none' }),
  testWebhook: webhook,
  listDeliveries: webhook,
  resendEvents: async (setup) => ({
    ...(await webhook(setup)),
    since: new Date(Date.now() - 60_000).toISOString(),
  }),
  setDebitAlert: async ({ app }) => ({ clientId: app.clientId, above: '10', pauses: false }),
  activateClientApp: async ({ app }) => ({ clientId: app.clientId, isActive: true }),
  rotateClientSecret: async ({ app }) => ({ clientId: app.clientId, overlap: 'none' }),
  replaceClientSecret: async ({ harness }) => ({
    clientId: (await makeClientApp(harness.context, { contactEmails: [inventEmail()] })).clientId,
  }),
  revokeClientSecret: async ({ harness }) => {
    const { id, clientId } = await makeClientApp(harness.context)
    const { rows } = await harness.admin.query<{ id: string }>(
      'select s.id from directory.client_secrets s where s.client_app_id = $1',
      [id],
    )
    return { clientId, secretId: rows[0]?.id }
  },
  listPeople: async () => ({}),
  readPerson: async ({ harness }) => ({ id: String((await makeUser(harness.context)).id) }),
  readPersonHistory: async ({ harness }) => ({ id: String((await makeUser(harness.context)).id) }),
  exportPersonHistory: async ({ harness }) => ({
    id: String((await makeUser(harness.context)).id),
  }),
  freezeWallet: async ({ harness }) => ({
    id: String((await makeUser(harness.context)).id),
    isFrozen: true,
    reason: 'a test',
  }),
  allowHold: makeSuspendedHold,
  erasePerson: async ({ harness }) => ({
    id: String((await makeUser(harness.context)).id),
    reason: 'a test',
  }),
  beginPasskeyConfirmation: async () => ({}),
  beginPasskey: async () => ({}),
  readSignIn: async () => ({}),
  addPasskey: async (setup, role) => ({
    name: 'Phone',
    passkey: new Authenticator().make(await askToMake(setup, setup[role])),
  }),
  confirmByPasskey: async (setup, role) => {
    const key = await givePasskey(setup, setup[role])
    return { passkey: key.sign(await askToConfirm(setup, setup[role])) }
  },
  removePasskey: async (setup, role) => {
    const response = await askAs(setup, setup[role], ADMIN_ENDPOINTS.readSignIn)
    return { id: response.json<{ passkeys: { id: string }[] }>().passkeys[0]?.id }
  },
  renewRecoveryCodes: async () => ({}),
  endOwnLogIn: async ({ harness, ...setup }, role) => {
    const { rows } = await harness.admin.query<{ id: string }>(
      `insert into admin.log_ins (token_hash, operator_id, address, device, expires_at)
       values (sha256(gen_random_uuid()::text::bytea), $1, '', '', now() + interval '1 hour') returning id`,
      [setup[role].id],
    )
    return { id: rows[0]?.id }
  },
  endOtherLogIns: async () => ({}),
  changeOwnPassword: async () => ({ newPassword: 'seven quiet lighthouses' }),
  proposeGrant: (setup) => grantFields(setup),
  releaseHold: async (setup) => (await makeHold(setup)).fields,
  listGrants: async () => ({}),
  approveGrant: async (setup) => ({ id: (await plantOpenGrant(setup)).id }),
  declineGrant: async (setup) => ({ id: (await plantOpenGrant(setup)).id, reason: 'a test' }),
  readSwitches: async () => ({}),
  pauseWrites: async () => ({ isPaused: false }),
  pauseClientApp: async ({ app }) => ({ clientId: app.clientId, isPaused: false }),
  readKeys: async () => ({}),
  logOutOfAdmin: async () => ({}),
}

const NAMES = Object.keys(FIELDS) as Name[]
/** They read personal data, so they are in the audit log, too. */
const PERSONAL: readonly Name[] = [
  'listPeople',
  'readPerson',
  'readPersonHistory',
  'exportPersonHistory',
  'exportAudit',
]
/** They show names, if they find something. */
const SHOWING_NAMES: readonly Name[] = [
  'listTopups',
  'readTopup',
  'listGrants',
  'lookUpOperation',
  'listOperations',
]

function showsPerson(response: LightMyRequestResponse): boolean {
  return /"person":\{"id":"\d+","name":"/.test(response.body)
}

describe('roles', () => {
  let setup: AdminTopupSetup
  before(async () => {
    setup = await openAdminTopupSetup(CAN_SEND)
  })
  after(() => setup.close())

  async function countEntries(): Promise<number> {
    const { rows } = await setup.harness.admin.query<{ count: string }>(
      'select count(*) from admin.audit',
    )
    return Number(rows[0]?.count)
  }

  it('cover every endpoint', () => {
    assert.deepEqual(NAMES.toSorted(), Object.keys(ADMIN_ENDPOINTS).toSorted())
  })

  // The lowest role first; logging out is the last request of each.
  for (const role of ROLES.toReversed()) {
    it(`${role}: allows exactly what the contract allows, and every change and read of personal data is in the audit log`, async () => {
      for (const name of NAMES) {
        const endpoint: AdminEndpoint = ADMIN_ENDPOINTS[name]
        const fields = await FIELDS[name](setup, role)
        const entries = await countEntries()
        const response = await askAs(setup, setup[role], endpoint, fields)
        const isAllowed = ROLES.indexOf(role) <= ROLES.indexOf(endpoint.role)
        if (isAllowed) assert.equal(response.statusCode, 200, `${name} ${response.body}`)
        else assertRefusal(response, endpoint, 'OPERATOR_FORBIDDEN')
        const isPersonal =
          PERSONAL.includes(name) || (SHOWING_NAMES.includes(name) && showsPerson(response))
        const isRecorded = isAllowed && (endpoint.method === 'POST' || isPersonal)
        assert.equal((await countEntries()) - entries, isRecorded ? 1 : 0, name)
      }
    })
  }

  it('endpoints that need a confirmation list its error', () => {
    const confirmed = NAMES.filter(
      (name) => (ADMIN_ENDPOINTS[name] as AdminEndpoint).needsConfirmation,
    )
    for (const name of confirmed) assert('CONFIRMATION_REQUIRED' in ADMIN_ENDPOINTS[name].errors)
    assert.equal(confirmed.length, 27)
  })
})
