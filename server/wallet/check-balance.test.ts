import { checkBalance as endpoint } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unlink } from '../identity/link.ts'
import { makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, basicOf, call, openStage, type Stage } from '../test/setup.ts'

describe('GET /api/server/wallet/check-balance', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.harness.end())

  const fieldsOf = ({ user }: Stage) => ({
    serviceUserId: user.serviceUserId,
    requiredAmount: '19.99',
  })
  const check = (requiredAmount: string) =>
    call(stage, endpoint, { ...fieldsOf(stage), requiredAmount })

  it('200 tells the balance, the amount asked for and whether it suffices', async () => {
    const response = await check('19.99')
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), {
      balance: 100,
      requiredAmount: 19.99,
      hasSufficientBalance: true,
      currency: 'USD',
    })
  })

  it('200 decides to the cent', async () => {
    const answers = await Promise.all(['0', '99.99', '100', '100.00', '100.01'].map(check))
    assert.deepEqual(
      answers.map((answer) => answer.json().hasSufficientBalance as boolean),
      [true, true, true, true, false],
    )
  })

  it('200 works on a frozen wallet and on an empty one', async () => {
    const { harness, app } = stage
    const { ledger } = harness.context
    const empty = await makeLinkedUser(harness.context, app)
    const { serviceUserId } = empty
    await ledger.setWalletActive(empty.walletId, false)
    const response = await call(stage, endpoint, { serviceUserId, requiredAmount: '0.01' })
    assert.equal(response.statusCode, 200)
    assert.equal(response.json().balance, 0)
    assert.equal(response.json().hasSufficientBalance, false)
  })

  it('200 accepts Basic authentication and ignores parameters that it does not know', async () => {
    const none = { clientId: undefined, clientSecret: undefined }
    const fields = { ...fieldsOf(stage), ...none, colour: 'blue' }
    const response = await call(stage, endpoint, fields, basicOf(stage.app))
    assert.equal(response.statusCode, 200)
  })

  it('400 INVALID_AMOUNT for anything but a plain decimal within the bounds', () =>
    refusals.refusesFields(
      stage,
      endpoint,
      fieldsOf,
      ['', '-1', '-0', '+1', '1e2', '01', '.5', '5.', '0.001', '1,5', ' 1', '1000000000', 'ten']
        .concat('9'.repeat(65), '0x10', 'NaN', '１')
        .map((value) => ['requiredAmount', value]),
    ))

  it('400 INVALID_AMOUNT without a required amount', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [['requiredAmount', undefined]]))

  it('400 INVALID_REQUEST without a serviceUserId, with two, or with one that cannot be', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['serviceUserId', undefined],
      ['serviceUserId', [stage.user.serviceUserId, stage.user.serviceUserId]],
      ['serviceUserId', ''],
      ['serviceUserId', 'su_\u0000'],
      ['serviceUserId', 'x'.repeat(256)],
    ]))

  it('401 INVALID_CLIENT for a clientId with NUL, which fails nobody else', async () => {
    const fresh = await openStage()
    try {
      const fields = fieldsOf(fresh)
      // The app is not known to the process yet, so that both are looked up together.
      const [wrong, right] = await Promise.all([
        call(fresh, endpoint, { ...fields, clientId: 'app_\u0000' }),
        call(fresh, endpoint, fields),
      ])
      assertRefusal(wrong, endpoint, 'INVALID_CLIENT')
      assert.equal(right.statusCode, 200)
    } finally {
      await fresh.harness.end()
    }
  })

  it('401 USER_NOT_FOUND for a user who is unknown or has unlinked', async () => {
    const { harness, app } = stage
    const leaver = await makeLinkedUser(harness.context, app, 1n)
    await unlink(harness.context.db, app.id, leaver.id)
    for (const serviceUserId of [leaver.serviceUserId, `su_${'0'.repeat(32)}`, 'x']) {
      const response = await call(stage, endpoint, { ...fieldsOf(stage), serviceUserId })
      assertRefusal(response, endpoint, 'USER_NOT_FOUND')
    }
  })

  it('429 RATE_LIMITED is over after the time that Retry-After names', async () => {
    const limited = await openStage({ APP_REQUESTS_PER_SECOND: '1' })
    try {
      const ask = () => call(limited, endpoint, fieldsOf(limited))
      assert.equal((await ask()).statusCode, 200)
      const refused = await ask()
      assertRefusal(refused, endpoint, 'RATE_LIMITED')
      await sleep(Number(refused.headers['retry-after']) * 1000)
      assert.equal((await ask()).statusCode, 200)
    } finally {
      await limited.harness.end()
    }
  })

  it('503 SERVICE_UNAVAILABLE while the database takes no connections', async () => {
    const fresh = await openStage()
    const { admin } = fresh.harness
    const allow = 'update pg_database set datallowconn = $1 where datname = current_database()'
    try {
      await admin.query(allow, [false])
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      await sleep(100)
      const response = await call(fresh, endpoint, fieldsOf(fresh))
      assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
    } finally {
      await admin.query(allow, [true])
      await fresh.harness.end()
    }
  })
})
