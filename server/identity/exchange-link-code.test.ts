import { exchangeLinkCode as endpoint, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, makeLinkCode, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, basicOf, call, openSetup, type Setup } from '../test/setup.ts'
import { link } from './link.ts'

describe('POST /api/server/link/exchange', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = ({ harness, user }: Setup) => makeLinkCode(harness.context, user.serviceUserId)

  it('200 exchanges the code for a working serviceUserId', async () => {
    const response = await call(setup, endpoint, await fieldsOf(setup))
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), { serviceUserId: setup.user.serviceUserId })
    const wallet = await call(setup, readWallet, response.json())
    assert.equal(wallet.statusCode, 200)
  })

  it('200 works without any scope, with Basic authentication and unknown fields', async () => {
    const app = await makeClientApp(setup.harness.context, { scopes: [] })
    const shop = { ...setup, app, user: await makeLinkedUser(setup.harness.context, app) }
    const fields = { ...(await fieldsOf(shop)), colour: 'blue' }
    const none = { clientId: undefined, clientSecret: undefined }
    const response = await call(shop, endpoint, { ...fields, ...none }, basicOf(app))
    assert.deepEqual(response.json(), { serviceUserId: shop.user.serviceUserId })
  })

  it('400 INVALID_REQUEST for a missing or malformed code', () =>
    refusals.refusesFields(
      setup,
      endpoint,
      fieldsOf,
      [undefined, null, '', 5, true, [], {}, 'a b', 'é', 'a\u0000', 'a\n', 'x'.repeat(129)].map(
        (value) => ['linkCode', value],
      ),
    ))

  it('400 LINK_CODE_INVALID for a code that was never issued', async () => {
    const { linkCode, verifier } = await fieldsOf(setup)
    for (const wrong of [`${linkCode}0`, linkCode.slice(0, -1), linkCode.toUpperCase(), 'x']) {
      const response = await call(setup, endpoint, { linkCode: wrong, verifier })
      assertRefusal(response, endpoint, 'LINK_CODE_INVALID')
    }
  })

  it('400 LINK_CODE_INVALID for another app, and the code still works for its own', async () => {
    const fields = await fieldsOf(setup)
    const app = await makeClientApp(setup.harness.context)
    await link(setup.harness.context.db, app.id, setup.user.id)
    assertRefusal(await call({ ...setup, app }, endpoint, fields), endpoint, 'LINK_CODE_INVALID')
    assert.equal((await call(setup, endpoint, fields)).statusCode, 200)
  })
})
