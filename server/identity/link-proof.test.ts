/** A link code belongs to the browser and the app user that asked for it. Every attack here is refused. */
import { exchangeLinkCode as endpoint } from '@coffer/contract/server/wallet'
import * as widgetApi from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createProof, makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Setup } from '../test/setup.ts'
import {
  callPage,
  makePerson,
  newcomer,
  openSignInWithMail,
  PASSWORD,
  step,
} from '../test/sign-in.ts'
import { issueLinkCode } from './exchange-link-code.ts'

describe('POST /api/server/link/exchange', () => {
  let setup: Awaited<ReturnType<typeof openSignInWithMail>>
  before(async () => {
    setup = await openSignInWithMail()
  })
  after(() => setup.close())

  /** An app with a user who has linked it. */
  async function linkedApp(): Promise<Setup> {
    const { context } = setup.harness
    const app = await makeClientApp(context)
    return { ...setup, app, user: await makeLinkedUser(context, app) }
  }
  const issue = ({ harness, user }: Setup, challenge: string) =>
    issueLinkCode(harness.context.db, user.serviceUserId, challenge)
  const exchange = (shop: Setup, fields: { linkCode: unknown; verifier?: unknown }) =>
    call(shop, endpoint, fields)
  const reasons = () =>
    setup.harness.logLines
      .filter((line) => line.includes('link code refused'))
      .map((line) => (JSON.parse(line) as { reason: string }).reason)

  it('200 with the verifier of the challenge, again while the code is valid', async () => {
    const shop = await linkedApp()
    const { verifier, challenge } = createProof()
    const linkCode = await issue(shop, challenge)
    for (let times = 0; times < 3; times++) {
      const response = await exchange(shop, { linkCode, verifier })
      assert.equal(response.statusCode, 200)
      assert.deepEqual(response.json(), { serviceUserId: shop.user.serviceUserId })
    }
  })

  it('400 LINK_CODE_INVALID in the session of another user, before and after the exchange', async () => {
    const shop = await linkedApp()
    const { verifier, challenge } = createProof()
    const linkCode = await issue(shop, challenge)
    const attack = () => exchange(shop, { linkCode, verifier: createProof().verifier })
    assertRefusal(await attack(), endpoint, 'LINK_CODE_INVALID')
    assert.equal((await exchange(shop, { linkCode, verifier })).statusCode, 200)
    assertRefusal(await attack(), endpoint, 'LINK_CODE_INVALID')
    assert.equal(reasons().at(-1), 'verifier_wrong')
  })

  it('400 LINK_CODE_INVALID if the challenge is sent instead of the verifier', async () => {
    const shop = await linkedApp()
    const { challenge } = createProof()
    const linkCode = await issue(shop, challenge)
    const attack = await exchange(shop, { linkCode, verifier: challenge })
    assertRefusal(attack, endpoint, 'LINK_CODE_INVALID')
  })

  it('400 INVALID_REQUEST without a verifier, and for a malformed verifier or challenge', async () => {
    const { verifier, challenge } = createProof()
    const fieldsOf = async (shop: Setup) => ({ linkCode: await issue(shop, challenge), verifier })
    const malformed = ['', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}!`, 5, null, [], {}]
    await refusals.refusesFields(
      setup,
      endpoint,
      fieldsOf,
      [undefined, ...malformed].map((value) => ['verifier', value]),
    )
    for (const wrong of [...malformed, 'x'.repeat(44), `${'x'.repeat(42)}=`]) {
      const fields = { ...newcomer(setup), challenge: wrong }
      const response = await callPage(setup, widgetApi.signUp, fields)
      assertRefusal(response, widgetApi.signUp, 'INVALID_REQUEST', 'challenge')
    }
  })

  /** Each way through the widget ends with a code that only the verifier exchanges. */
  async function provesLink(shop: Setup, verifier: string, linked: widgetApi.AuthStep) {
    assert.equal(linked.step, 'linked')
    const { linkCode, serviceUserId } = linked
    const foreign = await exchange(shop, { linkCode, verifier: createProof().verifier })
    assertRefusal(foreign, endpoint, 'LINK_CODE_INVALID')
    assert.deepEqual((await exchange(shop, { linkCode, verifier })).json(), { serviceUserId })
  }

  it('has no code without a challenge: only the id, which proves nothing', async () => {
    const shop = await linkedApp()
    const { email } = await makePerson(shop)
    const fields = { clientId: shop.app.clientId, email, password: PASSWORD }
    const { ticket } = await step(shop, widgetApi.logIn, fields)
    const agreed = await step(shop, widgetApi.agree, { ticket })
    assert.deepEqual(Object.keys(agreed), ['step', 'serviceUserId'])
    assert.deepEqual(await step(shop, widgetApi.logIn, fields), agreed)
  })

  it('travels through login and consent, and through the next login', async () => {
    const shop = await linkedApp()
    const { email } = await makePerson(shop)
    const { verifier, challenge } = createProof()
    const fields = { clientId: shop.app.clientId, email, password: PASSWORD }
    const { ticket } = await step(shop, widgetApi.logIn, { ...fields, challenge })
    await provesLink(shop, verifier, await step(shop, widgetApi.agree, { ticket }))
    const next = createProof()
    const again = { ...fields, challenge: next.challenge }
    await provesLink(shop, next.verifier, await step(shop, widgetApi.logIn, again))
  })
})
