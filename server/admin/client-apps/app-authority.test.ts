/** One operator alone cannot take over a client app that is in use, and its contacts learn of every change. */
import * as endpoints from '@coffer/contract/admin/client-apps'
import { approveGrant, listGrants } from '@coffer/contract/admin/grants'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askAs, auditOf, type TestOperator } from '../../test/admin-setup.ts'
import {
  makeUsedApp,
  nextOrigin,
  openAuthoritySetup,
  readApp,
  type AuthoritySetup,
  type UsedApp,
} from '../../test/limit-setup.ts'
import { addOperator, type Listed } from '../../test/grant-setup.ts'
import { assertRefusal } from '../../test/setup.ts'
import { inventEmail } from '../../test/sign-in.ts'

let setup: AuthoritySetup
before(async () => {
  setup = await openAuthoritySetup()
})
after(() => setup.close())

const usedApp = (isUsed?: boolean) => makeUsedApp(setup, isUsed)
const read = (app: UsedApp) => readApp(setup, app)

const settingsOf = ({ clientId, origin }: UsedApp) => ({
  clientId,
  name: 'Used shop',
  scopes: ['wallet:read'],
  allowedOrigins: [origin],
  allowedIframeParents: [origin],
  accentColor: null,
})

async function change(who: TestOperator, fields: object) {
  const response = await askAs(setup, who, endpoints.changeClientApp, { ...fields })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ changesWait: boolean; creditLimitWaits: boolean; approvers: string[] }>()
}

async function rotate(who: TestOperator, { clientId }: { clientId: string }, overlap = '24h') {
  const response = await askAs(setup, who, endpoints.rotateClientSecret, { clientId, overlap })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ clientSecret: string | null; approvers: string[] }>()
}

async function waiting({ clientId }: { clientId: string }): Promise<Listed[]> {
  const fields = { state: 'waiting', search: clientId }
  const response = await askAs(setup, setup.viewer, listGrants, fields)
  return response.json<{ grants: Listed[] }>().grants
}

async function approve(who: TestOperator, app: { clientId: string }) {
  const [grant] = await waiting(app)
  return askAs(setup, who, approveGrant, { id: grant?.id ?? assert.fail('nothing waits') })
}

describe('new origins, scopes and contacts', () => {
  it('wait for an unrelated second operator once the app is in use; the rest takes effect', async () => {
    const app = await usedApp()
    const added = nextOrigin()
    const contactEmails = ['attacker@example.com']
    const fields = {
      ...settingsOf(app),
      name: 'Renamed shop',
      scopes: ['wallet:read', 'wallet:write'],
      allowedOrigins: [added],
      allowedIframeParents: [app.origin, added],
      contactEmails,
    }
    const proposer = await addOperator(setup, setup.owner, 'operator')
    const outcome = await change(proposer, fields)
    assert.equal(outcome.changesWait, true)
    assert(outcome.approvers.includes(setup.operator.email))
    assert(!outcome.approvers.includes(setup.owner.email))
    const kept = await read(app)
    assert.equal(kept.name, 'Renamed shop')
    // Removing an origin never waits.
    assert.deepEqual(kept.allowedOrigins, [])
    assert.deepEqual(kept.allowedIframeParents, [app.origin])
    assert.deepEqual(kept.scopes, ['wallet:read'])
    assert.deepEqual(kept.contactEmails, [app.contact])
    const [grant] = await waiting(app)
    assert.equal(grant?.kind, 'app_change')
    assert.deepEqual(grant?.changes, [
      `New iframe parent: ${added}`,
      `New origin: ${added}`,
      'New scope: wallet:write',
      'New contacts: attacker@example.com',
    ])

    for (const who of [proposer, setup.owner]) {
      assertRefusal(await approve(who, app), approveGrant, 'SECOND_OPERATOR_REQUIRED')
    }
    assert.equal(setup.mail.count(app.contact), 0)
    assert.equal((await approve(setup.operator, app)).statusCode, 200)
    const changed = await read(app)
    assert.deepEqual(changed.allowedOrigins, [added])
    assert.deepEqual(changed.allowedIframeParents, [app.origin, added])
    assert.deepEqual(changed.scopes, ['wallet:read', 'wallet:write'])
    assert.deepEqual(changed.contactEmails, contactEmails)
    // The old contact learns of it, too.
    for (const email of [app.contact, ...contactEmails]) {
      const { text = '' } = await setup.mail.read(email)
      assert(text.includes(`New origin: ${added}`), text)
      assert(text.includes('New contacts: attacker@example.com'), text)
      assert(text.includes('New scope: wallet:write'), text)
    }
    assert.equal((await auditOf(setup, app.clientId)).at(-1)?.action, 'grant.approve')
  })

  it('wait also if the app is deactivated first', async () => {
    const app = await usedApp()
    const activate = (isActive: boolean) =>
      askAs(setup, setup.operator, endpoints.activateClientApp, {
        clientId: app.clientId,
        isActive,
      })
    assert.equal((await activate(false)).statusCode, 200)
    const parents = [app.origin, nextOrigin()]
    const outcome = await change(setup.operator, {
      ...settingsOf(app),
      allowedIframeParents: parents,
    })
    assert.equal(outcome.changesWait, true)
    assert.equal((await activate(true)).statusCode, 200)
    assert.deepEqual((await read(app)).allowedIframeParents, [app.origin])
    const texts = [await setup.mail.read(app.contact), await setup.mail.read(app.contact)]
    assert.match(texts[0]?.text ?? '', /The app was deactivated\./)
    assert.match(texts[1]?.text ?? '', /The app was activated\./)
  })

  it('take effect at once while the app is new, and the contact is notified', async () => {
    const app = await usedApp(false)
    const added = nextOrigin()
    const fields = { ...settingsOf(app), allowedIframeParents: [added], creditLimit: '120' }
    assert.equal((await change(setup.operator, fields)).changesWait, false)
    assert.deepEqual((await read(app)).allowedIframeParents, [added])
    const { text = '' } = await setup.mail.read(app.contact)
    assert(text.includes(`New origin: ${added}`), text)
    assert(text.includes('New credit limit: 120.00'), text)
  })

  it('begin with the registration, of which the contact learns who saw the first secret', async () => {
    const contact = inventEmail()
    const { clientId: _unknown, ...settings } = settingsOf({
      ...(await usedApp()),
      origin: nextOrigin(),
    })
    const fields = { ...settings, creditLimit: '0', contactEmails: [contact] }
    const response = await askAs(setup, setup.operator, endpoints.createClientApp, fields)
    assert.equal(response.statusCode, 200, response.body)
    const { text = '' } = await setup.mail.read(contact)
    assert(text.includes(setup.operator.email), text)
    assert.match(text, /saw the first client secret/)
    assert(!text.includes(response.json<{ clientSecret: string }>().clientSecret))
  })
})

describe('POST /api/admin/client-apps/rotate', () => {
  it('needs a second operator once the app is in use, and is shown once to its proposer', async () => {
    const app = await usedApp()
    const first = await rotate(setup.operator, app)
    assert.equal(first.clientSecret, null)
    assert(first.approvers.includes(setup.owner.email))
    assert.equal((await read(app)).secrets.length, 1)
    assertRefusal(await approve(setup.operator, app), approveGrant, 'SECOND_OPERATOR_REQUIRED')
    assert.equal((await approve(setup.owner, app)).statusCode, 200)
    // The approval is for the proposer only, and changes nothing until then.
    assert.equal((await rotate(setup.owner, app)).clientSecret, null)
    assert.equal((await read(app)).secrets.length, 1)
    const { clientSecret } = await rotate(setup.operator, app, 'none')
    assert.match(clientSecret ?? '', /^coffer_sk_/)
    // The overlap is the approved one.
    assert.equal((await read(app)).secrets.length, 2)
    assert.match((await setup.mail.read(app.contact)).text ?? '', /rotated.*expires in 24h/)
    assert.equal((await rotate(setup.operator, app)).clientSecret, null)
  })

  it('403 SECOND_OPERATOR_REQUIRED for the second of two concurrent uses of an approval', async () => {
    const app = await usedApp()
    await rotate(setup.operator, app)
    assert.equal((await approve(setup.owner, app)).statusCode, 200)
    const { clientId } = app
    const { admin } = setup.harness
    // They line up behind this lock, so that several find the approval before one uses it.
    await admin.query('begin')
    await admin.query('select from directory.client_apps where id = $1 for update', [app.id])
    const requests = [1, 2, 3].map(() =>
      askAs(setup, setup.operator, endpoints.rotateClientSecret, { clientId, overlap: '24h' }),
    )
    await sleep(300)
    await admin.query('commit')
    const responses = await Promise.all(requests)
    const shown = responses.filter(
      (response) => response.statusCode === 200 && response.json().clientSecret !== null,
    )
    assert.equal(shown.length, 1)
    for (const response of responses) {
      if (response.statusCode === 200) continue
      assertRefusal(response, endpoints.rotateClientSecret, 'SECOND_OPERATOR_REQUIRED')
    }
    assert.equal((await read(app)).secrets.length, 2)
  })

  it('is approved for exactly one restriction', async () => {
    const app = await usedApp()
    const narrow = { name: 'refunds', scopes: ['wallet:refund'], networks: ['203.0.113.0/24'] }
    const restrict = async (restriction: object | undefined) => {
      const fields = { clientId: app.clientId, overlap: '24h', restriction }
      const response = await askAs(setup, setup.operator, endpoints.rotateClientSecret, fields)
      assert.equal(response.statusCode, 200, response.body)
      return response.json<{ clientSecret: string | null }>().clientSecret
    }
    assert.equal(await restrict(narrow), null)
    const [grant] = await waiting(app)
    assert.match(JSON.stringify(grant), /refunds.*wallet:refund, from 203\.0\.113\.0\/24/)
    assert.equal((await approve(setup.owner, app)).statusCode, 200)
    // Each of these is another proposal, and gets no secret.
    assert.equal(await restrict(undefined), null)
    assert.equal(await restrict({ ...narrow, scopes: ['wallet:refund', 'wallet:debit'] }), null)
    assert.equal(await restrict({ ...narrow, networks: [] }), null)
    assert.match((await restrict(narrow)) ?? '', /^coffer_sk_/)
    assert.deepEqual((await read(app)).secrets.at(-1)?.restriction, narrow)
    assert.match((await setup.mail.read(app.contact)).text ?? '', /wallet:refund/)
  })

  it('cannot be collected a day after the approval', async () => {
    const app = await usedApp()
    await rotate(setup.operator, app)
    await approve(setup.owner, app)
    await setup.harness.admin.query(
      `update admin.grants set decided_at = now() - interval '25 hours' where client_app_id = $1`,
      [app.id],
    )
    assert.equal((await rotate(setup.operator, app)).clientSecret, null)
  })

  it('can be revoked by one operator at any time, and the contact is notified', async () => {
    const app = await usedApp()
    const [secret] = (await read(app)).secrets
    const fields = { clientId: app.clientId, secretId: secret?.id }
    const response = await askAs(setup, setup.operator, endpoints.revokeClientSecret, fields)
    assert.equal(response.statusCode, 200)
    assert.deepEqual((await read(app)).secrets, [])
    assert.match((await setup.mail.read(app.contact)).text ?? '', /revoked/)
  })
})
