import { checkBalance as endpoint } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unlink } from '../identity/link.ts'
import { makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, openSetup, type Setup } from '../test/setup.ts'

describe('GET /api/server/wallet/check-balance', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = ({ user }: Setup) => ({
    serviceUserId: user.serviceUserId,
    requiredAmount: '19.99',
  })
  const check = (requiredAmount: string) =>
    call(setup, endpoint, { ...fieldsOf(setup), requiredAmount })

  it('200 returns the balance, the required amount and whether the balance is sufficient', async () => {
    const response = await check('19.99')
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), {
      balance: 100,
      requiredAmount: 19.99,
      hasSufficientBalance: true,
      spendable: 100,
      currency: 'USD',
    })
  })

  it('200 compares to the cent', async () => {
    const responses = await Promise.all(['0', '99.99', '100', '100.00', '100.01'].map(check))
    assert.deepEqual(
      responses.map((response) => response.json().hasSufficientBalance as boolean),
      [true, true, true, true, false],
    )
  })

  it('400 INVALID_AMOUNT for anything but a plain decimal within the bounds', () =>
    refusals.refusesFields(
      setup,
      endpoint,
      fieldsOf,
      ['', '-1', '-0', '+1', '1e2', '01', '.5', '5.', '0.001', '1,5', ' 1', '1000000000', 'ten']
        .concat('9'.repeat(65), '0x10', 'NaN', '１')
        .map((value) => ['requiredAmount', value]),
    ))

  it('401 INVALID_CLIENT for a clientId with a NUL character, without affecting other requests', async () => {
    const fresh = await openSetup()
    try {
      const fields = fieldsOf(fresh)
      // The process has not cached the app yet, so that both are looked up in one query.
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
    const { harness, app } = setup
    const leaver = await makeLinkedUser(harness.context, app, 1n)
    await unlink(harness.context.db, app.id, leaver.id)
    for (const serviceUserId of [leaver.serviceUserId, `su_${'0'.repeat(32)}`, 'x']) {
      const response = await call(setup, endpoint, { ...fieldsOf(setup), serviceUserId })
      assertRefusal(response, endpoint, 'USER_NOT_FOUND')
    }
  })

  it('429 RATE_LIMITED until the time in Retry-After has passed', async () => {
    const limited = await openSetup({ APP_REQUESTS_PER_SECOND: '1' })
    try {
      const request = () => call(limited, endpoint, fieldsOf(limited))
      assert.equal((await request()).statusCode, 200)
      const refused = await request()
      assertRefusal(refused, endpoint, 'RATE_LIMITED')
      await sleep(Number(refused.headers['retry-after']) * 1000)
      assert.equal((await request()).statusCode, 200)
    } finally {
      await limited.harness.end()
    }
  })
})
