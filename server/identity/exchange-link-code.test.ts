import { exchangeLinkCode as endpoint, readWallet } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, basicOf, call, openSetup, type Setup } from '../test/setup.ts'
import { issueLinkCode, pruneLinkCodes } from './exchange-link-code.ts'
import { link, unlink } from './link.ts'

describe('POST /api/server/link/exchange', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const issue = ({ harness, user }: Setup) => issueLinkCode(harness.context.db, user.serviceUserId)
  const fieldsOf = async (there: Setup) => ({ linkCode: await issue(there) })
  const exchange = (there: Setup, linkCode: string) => call(there, endpoint, { linkCode })

  async function newcomer(): Promise<Setup> {
    return { ...setup, user: await makeLinkedUser(setup.harness.context, setup.app) }
  }

  function expireCodes({ user }: Setup, seconds: number) {
    return setup.harness.admin.query(
      `update directory.link_codes set expires_at = now() + make_interval(secs => $1)
       where link_public_id = $2`,
      [seconds, user.serviceUserId.slice(3)],
    )
  }

  it('200 exchanges the code for a working serviceUserId', async () => {
    const response = await exchange(setup, await issue(setup))
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), { serviceUserId: setup.user.serviceUserId })
    const wallet = await call(setup, readWallet, response.json())
    assert.equal(wallet.statusCode, 200)
  })

  it('200 returns the same response to the same app until the code expires', async () => {
    const there = await newcomer()
    const linkCode = await issue(there)
    const first = await exchange(there, linkCode)
    await expireCodes(there, 5)
    const second = await exchange(there, linkCode)
    assert.equal(second.statusCode, 200)
    assert.equal(second.body, first.body)
  })

  it('200 until the code expires, after 120 seconds by the database\u2019s clock', async () => {
    const there = await newcomer()
    await issue(there)
    const { rows } = await setup.harness.admin.query<{ seconds: string }>(
      `select extract(epoch from expires_at - now()) as seconds from directory.link_codes
       where link_public_id = $1`,
      [there.user.serviceUserId.slice(3)],
    )
    const seconds = Number(rows[0]?.seconds)
    assert(seconds > 110 && seconds <= 120, `${seconds} s`)
  })

  it('200 works without any scope, with Basic authentication and unknown fields', async () => {
    const app = await makeClientApp(setup.harness.context, { scopes: [] })
    const there = { ...setup, app, user: await makeLinkedUser(setup.harness.context, app) }
    const fields = { linkCode: await issue(there), colour: 'blue' }
    const none = { clientId: undefined, clientSecret: undefined }
    const response = await call(there, endpoint, { ...fields, ...none }, basicOf(app))
    assert.deepEqual(response.json(), { serviceUserId: there.user.serviceUserId })
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
    const linkCode = await issue(setup)
    for (const wrong of [`${linkCode}0`, linkCode.slice(0, -1), linkCode.toUpperCase(), 'x']) {
      assertRefusal(await exchange(setup, wrong), endpoint, 'LINK_CODE_INVALID')
    }
  })

  it('400 LINK_CODE_INVALID for another app, and the code still works for its own', async () => {
    const linkCode = await issue(setup)
    const app = await makeClientApp(setup.harness.context)
    await link(setup.harness.context.db, app.id, setup.user.id)
    assertRefusal(await exchange({ ...setup, app }, linkCode), endpoint, 'LINK_CODE_INVALID')
    assert.equal((await exchange(setup, linkCode)).statusCode, 200)
  })

  it('400 LINK_CODE_INVALID for an expired code, also after its deletion', async () => {
    const there = await newcomer()
    const linkCode = await issue(there)
    await expireCodes(there, -0.001)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
    await pruneLinkCodes(setup.harness.context.db)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
  })

  it('400 LINK_CODE_INVALID after the user unlinked, even after a new link', async () => {
    const there = await newcomer()
    const { db } = setup.harness.context
    const linkCode = await issue(there)
    await unlink(db, there.app.id, there.user.id)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
    const serviceUserId = await link(db, there.app.id, there.user.id)
    assert.notEqual(serviceUserId, there.user.serviceUserId)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
  })
})
