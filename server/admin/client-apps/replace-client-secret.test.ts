/** The emergency rotation: it waits for nobody, and no operator sees the new secret. */
import * as endpoints from '@coffer/contract/admin/client-apps'
import { collectClientSecret } from '@coffer/contract/client-secret'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rotateSecret } from '../../client-app/rotate-secret.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { ask } from '../../test/account-setup.ts'
import { askAs, auditOf } from '../../test/admin-setup.ts'
import {
  makeUsedApp,
  openAuthoritySetup,
  readApp,
  type AuthoritySetup,
} from '../../test/limit-setup.ts'
import { makeClientApp, makeSecret } from '../../test/factories.ts'
import { assertRefusal } from '../../test/setup.ts'
import { inventEmail } from '../../test/sign-in.ts'
import { lockApp, setAppSettings } from '../app-change-queries.ts'

let setup: AuthoritySetup
before(async () => {
  setup = await openAuthoritySetup()
})
after(() => setup.close())

describe('POST /api/admin/client-apps/replace-secret', () => {
  const endpoint = endpoints.replaceClientSecret
  const replace = ({ clientId }: { clientId: string }) =>
    askAs(setup, setup.operator, endpoint, { clientId })
  const collect = (ticket: string) =>
    ask({ harness: setup.harness }, collectClientSecret, { ticket })

  it('200 ends the old secret at once, and only the contact gets the new one, once', async () => {
    const app = await makeUsedApp(setup)
    const response = await replace(app)
    assert.deepEqual(response.json(), { contacts: [app.contact] })
    assert.deepEqual((await readApp(setup, app)).secrets, [])
    const { text = '' } = await setup.mail.read(app.contact)
    const [, ticket = ''] =
      /^(?:http:\/\/localhost:8080\/account\/client-secret)#([\w-]+)$/m.exec(text) ?? []
    assert(!JSON.stringify(await auditOf(setup, app.clientId)).includes(ticket))
    const startMs = performance.now()
    const collected = await collect(ticket)
    // By then, no process trusts what it remembered before.
    assert(performance.now() - startMs > 750)
    assert.equal(collected.statusCode, 200, collected.body)
    const { clientId, clientSecret } = collected.json<Record<string, string>>()
    assert.equal(clientId, app.clientId)
    assert.match(clientSecret ?? '', /^coffer_sk_/)
    assert.equal((await readApp(setup, app)).secrets.length, 1)
    assert.match((await setup.mail.read(app.contact)).text ?? '', /was shown/)
    assertRefusal(await collect(ticket), collectClientSecret, 'SECRET_LINK_INVALID')
  })

  it('400 SECRET_LINK_INVALID for a link that is unknown, expired or replaced by a newer one', async () => {
    const app = await makeUsedApp(setup)
    const readTicket = async () => {
      assert.equal((await replace(app)).statusCode, 200)
      return /#([\w-]+)/.exec((await setup.mail.read(app.contact)).text ?? '')?.[1] ?? ''
    }
    const [first, second] = [await readTicket(), await readTicket()]
    assertRefusal(await collect(first), collectClientSecret, 'SECRET_LINK_INVALID')
    await setup.harness.admin.query(
      `update directory.tickets set expires_at = now() where client_app_id = $1`,
      [app.id],
    )
    assertRefusal(await collect(second), collectClientSecret, 'SECRET_LINK_INVALID')
    assertRefusal(await collect('x'), collectClientSecret, 'SECRET_LINK_INVALID')
    assert.deepEqual((await readApp(setup, app)).secrets, [])
  })

  it('400 SECRET_LINK_INVALID after the contacts have changed, and after another rotation', async () => {
    const ways = {
      contacts: async ({ clientId }: { clientId: string }) => {
        const { context } = setup.harness
        await inTransaction(context.db, async (tx) => {
          const app = (await one(tx, lockApp(clientId))) ?? assert.fail()
          await run(tx, setAppSettings(clientId, { ...app, contactEmails: [inventEmail()] }))
        })
      },
      rotation: async ({ clientId }: { clientId: string }) => {
        const { db, config } = setup.harness.context
        await rotateSecret({ db, peppers: config.peppers }, clientId, { overlap: '1h' })
      },
    }
    for (const [name, change] of Object.entries(ways)) {
      const app = await makeUsedApp(setup)
      assert.equal((await replace(app)).statusCode, 200)
      const [, ticket = ''] =
        /#([\w-]+)/.exec((await setup.mail.read(app.contact)).text ?? '') ?? []
      await change(app)
      const live = (await readApp(setup, app)).secrets.length
      assertRefusal(await collect(ticket), collectClientSecret, 'SECRET_LINK_INVALID')
      assert.equal((await readApp(setup, app)).secrets.length, live, name)
    }
  })

  it('200 keeps the link if a restricted secret is rotated: it does not replace the main one', async () => {
    const app = await makeUsedApp(setup)
    assert.equal((await replace(app)).statusCode, 200)
    const [, ticket = ''] = /#([\w-]+)/.exec((await setup.mail.read(app.contact)).text ?? '') ?? []
    await makeSecret(setup.harness.context, app, ['wallet:read'])
    assert.equal((await collect(ticket)).statusCode, 200)
  })

  it('409 CONTACT_REQUIRED if nobody can receive the secret, and the old one stays', async () => {
    const app = await makeClientApp(setup.harness.context)
    assertRefusal(await replace(app), endpoint, 'CONTACT_REQUIRED')
    assert.equal((await readApp(setup, app)).secrets.length, 1)
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const clientId = 'app_000000000000000000000000'
    assertRefusal(await replace({ clientId }), endpoint, 'NOT_FOUND')
  })
})

describe('GET /account/client-secret', () => {
  it('shows a page without a secret, which nobody can frame and no scanner can use up', async () => {
    const response = await setup.harness.inject({ method: 'GET', url: '/account/client-secret' })
    assert.equal(response.statusCode, 200)
    const policy = String(response.headers['content-security-policy'])
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /script-src 'sha256-/)
    assert(!policy.includes('unsafe'))
  })
})
