import { exchangeLinkCode, readWallet } from '@coffer/contract/server/wallet'
import { agree as endpoint, logIn } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callPage, makePerson, openSignIn, step, type TestPerson } from '../test/sign-in.ts'
import { createProof } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Setup } from '../test/setup.ts'

describe('POST /api/widget/auth/agree', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn()
  })
  after(() => setup.harness.end())

  async function askConsent(
    shop: Setup,
    { email, password }: TestPerson,
    challenge?: string,
  ): Promise<string> {
    const fields = { clientId: shop.app.clientId, email, password, challenge }
    const { step: next, ticket } = await step(shop, logIn, fields)
    assert.equal(next, 'consent')
    return ticket ?? ''
  }
  const fieldsOf = async (shop: Setup) => {
    return { ticket: await askConsent(shop, await makePerson(shop)) }
  }

  async function findLinks({ id }: TestPerson) {
    const { rows } = await setup.harness.admin.query(
      'select client_app_id, ended_at from directory.links where service_user_id = $1',
      [id],
    )
    return rows
  }

  it('200 links the requested app, and the link code proves it', async () => {
    const person = await makePerson(setup)
    const { verifier, challenge } = createProof()
    const ticket = await askConsent(setup, person, challenge)
    assert.deepEqual(await findLinks(person), [])
    const linked = await step(setup, endpoint, { ticket })
    assert.deepEqual(Object.keys(linked), ['step', 'serviceUserId', 'linkCode'])
    assert.equal(linked.step, 'linked')
    const { serviceUserId, linkCode } = linked
    assert.match(serviceUserId ?? '', /^su_[0-9a-f]{32}$/)
    const exchanged = await call(setup, exchangeLinkCode, { linkCode, verifier })
    assert.deepEqual(exchanged.json(), { serviceUserId })
    assert.equal((await call(setup, readWallet, { serviceUserId })).statusCode, 200)
    const links = [{ client_app_id: setup.app.id.toString(), ended_at: null }]
    assert.deepEqual(await findLinks(person), links)
  })

  it('400 INVALID_REQUEST for a malformed ticket', () =>
    refusals.refusesValues(setup, endpoint, fieldsOf, { ticket: ['', 'a b', 'x'.repeat(65)] }))

  it('401 LOGIN_REQUIRED for a used ticket, also concurrently', async () => {
    const fields = await fieldsOf(setup)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => callPage(setup, endpoint, fields)),
    )
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
    for (const response of [...responses, await callPage(setup, endpoint, fields)]) {
      if (response.statusCode !== 200) assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    }
  })
})
