/** Every role at every endpoint, in one table. */
import {
  ADMIN_ENDPOINTS,
  ROLES,
  type AdminEndpoint,
  type Role,
} from '@coffer/contract/admin-endpoints'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  freshCode,
  makeNewOperator,
  openAdminStage,
  type AdminStage,
} from '../test/admin-stage.ts'
import { inventEmail } from '../test/door.ts'
import { makeClientApp } from '../test/factories.ts'
import { assertRefusal, type Fields } from '../test/stage.ts'

type Name = keyof typeof ADMIN_ENDPOINTS
const SETTINGS = {
  name: 'Shop',
  scopes: [],
  allowedOrigins: [],
  allowedIframeParents: [],
  accentColor: null,
}

/** Fields with which a call succeeds, for whoever may make it. */
const FIELDS: Record<Name, (stage: AdminStage, role: Role) => Promise<Fields>> = {
  readOperator: async () => ({}),
  listOperators: async () => ({}),
  listClientApps: async () => ({}),
  readAudit: async () => ({}),
  exportAudit: async () => ({}),
  readClientApp: async ({ app }) => ({ clientId: app.clientId }),
  confirmOperator: async ({ harness, ...stage }, role) => ({
    password: stage[role].password,
    code: await freshCode(harness, stage[role]),
  }),
  createOperator: async () => ({ email: inventEmail(), name: 'Somebody', role: 'viewer' }),
  changeOperator: async ({ harness }) => ({
    id: String((await makeNewOperator(harness, 'viewer')).id),
    role: 'operator',
  }),
  createClientApp: async () => ({ ...SETTINGS, creditLimit: '5' }),
  changeClientApp: async ({ app }) => ({ ...SETTINGS, clientId: app.clientId }),
  activateClientApp: async ({ app }) => ({ clientId: app.clientId, isActive: true }),
  rotateClientSecret: async ({ app }) => ({ clientId: app.clientId, overlap: 'none' }),
  revokeClientSecret: async ({ harness }) => {
    const { id, clientId } = await makeClientApp(harness.context)
    const { rows } = await harness.admin.query<{ id: string }>(
      'select s.id from directory.client_secrets s where s.client_app_id = $1',
      [id],
    )
    return { clientId, secretId: rows[0]?.id }
  },
  logOutOfAdmin: async () => ({}),
}

const NAMES = Object.keys(FIELDS) as Name[]

describe('roles', () => {
  let stage: AdminStage
  before(async () => {
    stage = await openAdminStage()
  })
  after(() => stage.harness.end())

  async function countEntries(): Promise<number> {
    const { rows } = await stage.harness.admin.query<{ count: string }>(
      'select count(*) from admin.audit',
    )
    return Number(rows[0]?.count)
  }

  it('the table names every endpoint', () => {
    assert.deepEqual(NAMES.toSorted(), Object.keys(ADMIN_ENDPOINTS).toSorted())
  })

  // Least first, so that logging out, which stands last, is the last that each of them does.
  for (const role of ROLES.toReversed()) {
    it(`${role}: may what the contract says and nothing else, and every change is in the log`, async () => {
      for (const name of NAMES) {
        const endpoint: AdminEndpoint = ADMIN_ENDPOINTS[name]
        const fields = await FIELDS[name](stage, role)
        const entries = await countEntries()
        const response = await askAs(stage, stage[role], endpoint, fields)
        const isAllowed = ROLES.indexOf(role) <= ROLES.indexOf(endpoint.role)
        if (isAllowed) assert.equal(response.statusCode, 200, `${name} ${response.body}`)
        else assertRefusal(response, endpoint, 'OPERATOR_FORBIDDEN')
        const isChange = isAllowed && endpoint.method === 'POST'
        assert.equal((await countEntries()) - entries, isChange ? 1 : 0, name)
      }
    })
  }

  it('what is dangerous asks for a confirmation, what is not does not', () => {
    const dangerous = NAMES.filter((name) => (ADMIN_ENDPOINTS[name] as AdminEndpoint).isDangerous)
    for (const name of dangerous) assert('CONFIRMATION_REQUIRED' in ADMIN_ENDPOINTS[name].errors)
    assert.equal(dangerous.length, 6)
  })
})
