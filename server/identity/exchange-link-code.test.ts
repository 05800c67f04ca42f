import { exchangeLinkCode as endpoint, readWallet } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, basicOf, call, openStage, type Stage } from '../test/setup.ts'
import { issueLinkCode, pruneLinkCodes } from './exchange-link-code.ts'
import { link, unlink } from './link.ts'

describe('POST /api/server/link/exchange', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.harness.end())

  const issue = ({ harness, user }: Stage) => issueLinkCode(harness.context.db, user.serviceUserId)
  const fieldsOf = async (there: Stage) => ({ linkCode: await issue(there) })
  const exchange = (there: Stage, linkCode: string) => call(there, endpoint, { linkCode })

  async function newcomer(): Promise<Stage> {
    return { ...stage, user: await makeLinkedUser(stage.harness.context, stage.app) }
  }

  function expireCodes({ user }: Stage, seconds: number) {
    return stage.harness.admin.query(
      `update directory.link_codes set expires_at = now() + make_interval(secs => $1)
       where link_public_id = $2`,
      [seconds, user.serviceUserId.slice(3)],
    )
  }

  it('200 turns the code into the serviceUserId, which then works', async () => {
    const response = await exchange(stage, await issue(stage))
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), { serviceUserId: stage.user.serviceUserId })
    const wallet = await call(stage, readWallet, response.json())
    assert.equal(wallet.statusCode, 200)
  })

  it('200 answers the same app the same for as long as the code lives', async () => {
    const there = await newcomer()
    const linkCode = await issue(there)
    const first = await exchange(there, linkCode)
    await expireCodes(there, 5)
    const second = await exchange(there, linkCode)
    assert.equal(second.statusCode, 200)
    assert.equal(second.body, first.body)
  })

  it('200 a code lives 120 seconds by the clock of the database', async () => {
    const there = await newcomer()
    await issue(there)
    const { rows } = await stage.harness.admin.query<{ seconds: string }>(
      `select extract(epoch from expires_at - now()) as seconds from directory.link_codes
       where link_public_id = $1`,
      [there.user.serviceUserId.slice(3)],
    )
    const seconds = Number(rows[0]?.seconds)
    assert(seconds > 110 && seconds <= 120, `${seconds} s`)
  })

  it('200 works without any scope, with Basic authentication and unknown fields', async () => {
    const app = await makeClientApp(stage.harness.context, { scopes: [] })
    const there = { ...stage, app, user: await makeLinkedUser(stage.harness.context, app) }
    const fields = { linkCode: await issue(there), colour: 'blue' }
    const none = { clientId: undefined, clientSecret: undefined }
    const response = await call(there, endpoint, { ...fields, ...none }, basicOf(app))
    assert.deepEqual(response.json(), { serviceUserId: there.user.serviceUserId })
  })

  it('400 INVALID_REQUEST for a code that is missing or cannot be one', () =>
    refusals.refusesFields(
      stage,
      endpoint,
      fieldsOf,
      [undefined, null, '', 5, true, [], {}, 'a b', 'é', 'a\u0000', 'a\n', 'x'.repeat(129)].map(
        (value) => ['linkCode', value],
      ),
    ))

  it('400 LINK_CODE_INVALID for a code that was never issued', async () => {
    const linkCode = await issue(stage)
    for (const wrong of [`${linkCode}0`, linkCode.slice(0, -1), linkCode.toUpperCase(), 'x']) {
      assertRefusal(await exchange(stage, wrong), endpoint, 'LINK_CODE_INVALID')
    }
  })

  it('400 LINK_CODE_INVALID for another app, and the code still serves its own', async () => {
    const linkCode = await issue(stage)
    const app = await makeClientApp(stage.harness.context)
    await link(stage.harness.context.db, app.id, stage.user.id)
    assertRefusal(await exchange({ ...stage, app }, linkCode), endpoint, 'LINK_CODE_INVALID')
    assert.equal((await exchange(stage, linkCode)).statusCode, 200)
  })

  it('400 LINK_CODE_INVALID when the code is too old, also after it was swept away', async () => {
    const there = await newcomer()
    const linkCode = await issue(there)
    await expireCodes(there, -0.001)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
    await pruneLinkCodes(stage.harness.context.db)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
  })

  it('400 LINK_CODE_INVALID after the user unlinked, also once linked anew', async () => {
    const there = await newcomer()
    const { db } = stage.harness.context
    const linkCode = await issue(there)
    await unlink(db, there.app.id, there.user.id)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
    const serviceUserId = await link(db, there.app.id, there.user.id)
    assert.notEqual(serviceUserId, there.user.serviceUserId)
    assertRefusal(await exchange(there, linkCode), endpoint, 'LINK_CODE_INVALID')
  })
})
