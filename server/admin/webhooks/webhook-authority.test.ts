/** One operator alone cannot send the events of a client app in use to another place. */
import { approveGrant, listGrants } from '@coffer/contract/admin/grants'
import * as endpoints from '@coffer/contract/admin/webhooks'
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import type { Webhook } from '@coffer/contract/server/webhook-shapes'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, auditOf, type TestOperator } from '../../test/admin-setup.ts'
import { IDLE_SETTINGS } from '../../test/events/webhook-setup.ts'
import { addOperator, type Listed } from '../../test/grant-setup.ts'
import {
  makeUsedApp,
  openAuthoritySetup,
  type AuthoritySetup,
  type UsedApp,
} from '../../test/limit-setup.ts'
import { assertRefusal, type Fields } from '../../test/setup.ts'

interface Answer {
  webhookId: string | null
  secret: string | null
  changeWaits: boolean
  approvers: string[]
}

const URL = 'https://8.8.8.8/webhooks'
const OTHER = 'https://1.1.1.1/webhooks'
let setup: AuthoritySetup
before(async () => {
  setup = await openAuthoritySetup()
})
after(() => setup.close())

async function ask(who: TestOperator, endpoint: AdminEndpoint, fields: Fields): Promise<Answer> {
  const response = await askAs(setup, who, endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Answer>()
}

function create(who: TestOperator, { clientId }: UsedApp, url = URL) {
  return ask(who, endpoints.createWebhook, { clientId, ...IDLE_SETTINGS, url })
}

async function listUrls({ clientId }: UsedApp): Promise<string[]> {
  const response = await askAs(setup, setup.viewer, endpoints.listWebhooks, { clientId })
  return response.json<{ webhooks: Webhook[] }>().webhooks.map(({ url }) => url)
}

async function listWaiting({ clientId }: UsedApp): Promise<Listed[]> {
  const fields = { state: 'waiting', search: clientId }
  const response = await askAs(setup, setup.viewer, listGrants, fields)
  return response.json<{ grants: Listed[] }>().grants
}

async function approve(who: TestOperator, app: UsedApp) {
  const [grant] = await listWaiting(app)
  return askAs(setup, who, approveGrant, { id: grant?.id ?? assert.fail('nothing waits') })
}

async function createApproved(app: UsedApp) {
  await create(setup.operator, app)
  assert.equal((await approve(setup.owner, app)).statusCode, 200)
  const { webhookId } = await create(setup.operator, app)
  return webhookId ?? assert.fail('it waits')
}

describe('a new webhook of an app in use', () => {
  it('waits for an unrelated second operator; then its proposer creates it, once', async () => {
    const app = await makeUsedApp(setup)
    const proposer = await addOperator(setup, setup.owner, 'operator')
    const { approvers, ...nothing } = await create(proposer, app)
    assert.deepEqual(nothing, { webhookId: null, secret: null })
    assert(approvers.includes(setup.operator.email) && !approvers.includes(setup.owner.email))
    await create(proposer, app)
    const waiting = await listWaiting(app)
    assert.deepEqual(
      waiting.map(({ changes }) => changes),
      [[`Events are sent to a new URL: ${URL}`]],
    )
    for (const who of [proposer, setup.owner]) {
      assertRefusal(await approve(who, app), approveGrant, 'SECOND_OPERATOR_REQUIRED')
    }
    assert.equal((await approve(setup.operator, app)).statusCode, 200)
    assert.deepEqual(await listUrls(app), [])
    // Neither another operator nor another URL.
    assert.equal((await create(setup.operator, app)).webhookId, null)
    assert.equal((await create(proposer, app, OTHER)).webhookId, null)

    const answers = await Promise.all([create(proposer, app), create(proposer, app)])
    const made = answers.filter(({ webhookId }) => webhookId !== null)
    assert.deepEqual([made.length, made[0]?.approvers], [1, []])
    assert.match(made[0]?.secret ?? '', /^whsec_/)
    assert.deepEqual(await listUrls(app), [URL])
    assert.match((await setup.mail.read(app.contact)).text ?? '', /A webhook was created/)
    const entry = (await auditOf(setup, app.clientId)).find(
      ({ action }) => action === 'webhook.create',
    )
    assert(JSON.stringify(entry).includes(waiting[0]?.id ?? 'nothing'))
  })
})

describe('a change of a webhook of an app in use', () => {
  const change = (app: UsedApp, webhookId: string, fields: Fields) =>
    ask(setup.operator, endpoints.changeWebhook, {
      clientId: app.clientId,
      webhookId,
      ...IDLE_SETTINGS,
      url: URL,
      isEnabled: true,
      ...fields,
    })

  it('waits only if the URL changes', async () => {
    const app = await makeUsedApp(setup)
    const webhookId = await createApproved(app)
    for (const fields of [{ isEnabled: false }, { types: null }, { description: 'Other' }]) {
      assert.deepEqual(await change(app, webhookId, fields), { changeWaits: false, approvers: [] })
    }
    const { changeWaits, approvers } = await change(app, webhookId, { url: OTHER })
    assert.deepEqual([changeWaits, approvers.includes(setup.owner.email)], [true, true])
    assert.deepEqual(await listUrls(app), [URL])
    assert.equal((await approve(setup.owner, app)).statusCode, 200)
    assert.equal((await change(app, webhookId, { url: OTHER })).changeWaits, false)
    assert.deepEqual(await listUrls(app), [OTHER])
  })
})
