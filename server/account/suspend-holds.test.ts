/** "This wasn't me" suspends the recent holds, which an app could capture although its link has ended. */
import { secureAccount } from '@coffer/contract/account/safety'
import * as people from '@coffer/contract/admin/people'
import { capture, hold, release } from '@coffer/contract/server/holds'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link } from '../identity/link.ts'
import { ask, makePerson, openPersonSetupWithMail } from '../test/account-setup.ts'
import { ADMIN_ENV, askAs, makeOperator } from '../test/admin-setup.ts'
import { pairOf } from '../test/ledger/refund-setup.ts'
import { assertRefusal, call, type Fields } from '../test/setup.ts'

type Setup = Awaited<ReturnType<typeof openPersonSetupWithMail>>
let setup: Setup
before(async () => {
  setup = await openPersonSetupWithMail(ADMIN_ENV)
})
after(() => setup.close())

async function arrive() {
  const { harness, app, mail } = setup
  const person = await makePerson(harness, 50_00n)
  const ticket = await mail.readWarningTicket(person.email)
  const serviceUserId = await link(harness.context.db, app.id, person.id)
  const place = async () => {
    const pair = pairOf('HOLD')
    const response = await call(setup, hold, { serviceUserId, amount: 10, ...pair })
    assert.equal(response.statusCode, 200, response.body)
    return pair
  }
  const secure = async () => {
    const response = await ask({ harness }, secureAccount, { ticket })
    assert.equal(response.statusCode, 200, response.body)
  }
  const read = async () => {
    const wallet = await harness.context.ledger.readWallet(person.walletId)
    return [wallet?.balance, wallet?.held]
  }
  return { person, place, secure, read }
}

const captureOf = (placed: Fields, pair: Fields = pairOf('CAPTURE')) =>
  call(setup, capture, { hold: placed, ...pair })

describe('POST /api/server/wallet/capture', () => {
  it('409 HOLD_SUSPENDED after the person reported "This wasn\'t me"; a release works', async () => {
    const { place, secure, read } = await arrive()
    const [placed, other] = [await place(), await place()]
    await secure()
    const pair = pairOf('CAPTURE')
    for (const _ of [1, 2]) {
      assertRefusal(await captureOf(placed, pair), capture, 'HOLD_SUSPENDED')
    }
    assertRefusal(await captureOf(other), capture, 'HOLD_SUSPENDED')
    assert.deepEqual(await read(), [30_00n, 20_00n])
    const released = await call(setup, release, { hold: placed, ...pairOf('RELEASE') })
    assert.equal(released.statusCode, 200, released.body)
    assert.deepEqual(await read(), [40_00n, 10_00n])
  })

  it('200 for the same request once an operator allows it', async () => {
    const { person, place, secure, read } = await arrive()
    const placed = await place()
    await secure()
    const pair = pairOf('CAPTURE')
    assertRefusal(await captureOf(placed, pair), capture, 'HOLD_SUSPENDED')
    const operator = await makeOperator(setup.harness, 'operator')
    const id = String(person.id)
    const shown = (await askAs(setup, operator, people.readPerson, { id })).json()
    assert.equal(shown.holds[0].isSuspended, true)
    const fields = { id, hold: shown.holds[0].id, reason: 'The person confirmed it' }
    for (const _ of [1, 2]) {
      const response = await askAs(setup, operator, people.allowHold, fields)
      assert.equal(response.statusCode, 200, response.body)
    }
    assert.equal((await captureOf(placed, pair)).statusCode, 200)
    assert.deepEqual(await read(), [40_00n, 0n])
  })

  it('200 for the capture of a hold that is older than the link of the email', async () => {
    const { person, place, secure } = await arrive()
    const placed = await place()
    await setup.harness.admin.query(
      `update ledger.holds set created_at = created_at - interval '8 days' where wallet_id = $1`,
      [person.walletId],
    )
    await secure()
    assert.equal((await captureOf(placed)).statusCode, 200)
  })

  it('200 or 409 HOLD_SUSPENDED if both happen at once', async () => {
    const { place, secure, read } = await arrive()
    const placed = await place()
    const [response] = await Promise.all([captureOf(placed), secure()])
    if (response.statusCode === 200) assert.deepEqual(await read(), [40_00n, 0n])
    else assertRefusal(response, capture, 'HOLD_SUSPENDED')
  })
})

describe('POST /api/admin/people/allow-hold', () => {
  it('404 NOT_FOUND for the hold of somebody else', async () => {
    const [one, other] = [await arrive(), await arrive()]
    await one.place()
    const operator = await makeOperator(setup.harness, 'operator')
    const id = String(one.person.id)
    const shown = (await askAs(setup, operator, people.readPerson, { id })).json()
    const fields = { id: String(other.person.id), hold: shown.holds[0].id, reason: 'A test' }
    const response = await askAs(setup, operator, people.allowHold, fields)
    assertRefusal(response, people.allowHold, 'NOT_FOUND')
  })
})
