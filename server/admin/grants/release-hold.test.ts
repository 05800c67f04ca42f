/** An operator ends a hold of a client app. */
import * as endpoints from '@coffer/contract/admin/grants'
import { readPerson } from '@coffer/contract/admin/people'
import { capture, listHolds, release } from '@coffer/contract/server/holds'
import { listOwnOperations } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  ADMIN_ENV,
  askAs,
  auditOf,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import {
  addOperator,
  approve,
  assertGrantBooks,
  makeHold,
  rowOf,
  subjectOf,
} from '../../test/grant-setup.ts'
import { expireHoldsNow, readMoney } from '../../test/ledger/hold-setup.ts'
import { pairOf } from '../../test/ledger/refund-setup.ts'
import * as refusals from '../../test/refusals.ts'
import { assertRefusal, call, type Fields } from '../../test/setup.ts'
import { Ledger } from '../../ledger/ledger.ts'
import { insertGrant } from './queries.ts'

const endpoint = endpoints.releaseHold
let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup({ ...ADMIN_ENV, SECOND_OPERATOR_ABOVE: '1000' })
})
after(async () => {
  await assertGrantBooks(setup)
  await setup.harness.end()
})

const send = (fields: Fields, who = setup.operator) => askAs(setup, who, endpoint, fields)

describe('POST /api/admin/grants/release-hold', () => {
  it('200 returns the money to the wallet once, and records who did it and why', async () => {
    const placed = await makeHold(setup)
    const { fields, app } = placed
    const person = async () =>
      (await askAs(setup, setup.viewer, readPerson, { id: fields.personId })).json()
    const [shown, ...others] = (await person()).holds
    assert.deepEqual(others, [])
    assert.deepEqual(
      [shown.id, shown.clientId, shown.appName, shown.held],
      [fields.hold, app.clientId, 'Test shop', 30],
    )
    const responses = await Promise.all([send(fields), send(fields), send(fields)])
    for (const response of [...responses, await send(fields)]) {
      assert.equal(response.statusCode, 200, response.body)
      const { status, balance } = response.json()
      assert.deepEqual([status, balance], ['posted', 100])
    }
    assert.deepEqual(await readMoney(placed), [100_00n, 0n, 0n])
    assert.deepEqual((await person()).holds, [])
    const all = await auditOf(setup, subjectOf(fields))
    const [entry, ...more] = all.filter(({ action }) => action !== 'person.read')
    assert.deepEqual(more, [])
    assert.equal(entry?.action, 'grant.propose')
    assert.deepEqual(entry?.after, {
      grant: fields.id,
      kind: 'hold_release',
      amount: '30.00',
      reason: fields.reason,
      hold: fields.hold,
      needsSecondOperator: false,
    })
  })

  it('200 the app sees the release, and can neither capture nor release the hold', async () => {
    const placed = await makeHold(setup)
    await send(placed.fields)
    const [listed] = (await call(placed, listHolds, {})).json().holds
    assert.deepEqual([listed.state, listed.held, listed.captured], ['released', 0, 0])
    const [own] = (await call(placed, listOwnOperations, {})).json().operations
    assert.deepEqual(
      [own.type, own.amount, own.referenceType, own.description],
      ['release', 30, 'OPERATOR_RELEASE', null],
    )
    for (const end of [capture, release]) {
      const response = await call(placed, end, { hold: placed.pair, ...pairOf('END') })
      assertRefusal(response, end, 'HOLD_CLOSED')
    }
    assert.deepEqual(await readMoney(placed), [100_00n, 0n, 0n])
  })

  it('200 exactly one of a capture and a release gets the money, if both happen at once', async () => {
    for (let round = 0; round < 10; round++) {
      const placed = await makeHold(setup)
      const [released, captured] = await Promise.all([
        send(placed.fields),
        call(placed, capture, { hold: placed.pair, ...pairOf('END') }),
      ])
      const statuses = [released.statusCode, captured.statusCode]
      const money = await readMoney(placed)
      if (statuses[0] === 200) {
        assert.deepEqual(
          [statuses, money],
          [
            [200, 409],
            [100_00n, 0n, 0n],
          ],
        )
      } else {
        assertRefusal(released, endpoint, 'HOLD_CLOSED')
        assert.deepEqual(
          [statuses, money],
          [
            [409, 200],
            [70_00n, 0n, 0n],
          ],
        )
        assert.equal((await send(placed.fields)).statusCode, 409)
      }
    }
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked for too long; a retry returns the outcome', async () => {
    const { context, admin, databaseUrl } = setup.harness
    const usual = context.ledger
    const impatient = new Ledger({ databaseUrl, deadlineMs: 1_000 })
    const placed = await makeHold(setup)
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [placed.user.walletId])
    try {
      context.ledger = impatient
      assertRefusal(await send(placed.fields), endpoint, 'OUTCOME_UNKNOWN')
    } finally {
      await admin.query('rollback')
      context.ledger = usual
    }
    assert.equal((await send(placed.fields)).json().balance, 100)
    await impatient.close()
    assert.deepEqual(await readMoney(placed), [100_00n, 0n, 0n])
  })

  it('409 HOLD_CLOSED for a hold that was captured before, without a grant', async () => {
    const placed = await makeHold(setup)
    await call(placed, capture, { hold: placed.pair, ...pairOf('END') })
    assertRefusal(await send(placed.fields), endpoint, 'HOLD_CLOSED')
    await assert.rejects(rowOf(setup, placed.fields))
  })

  it('409 HOLD_EXPIRED for a hold whose time is over, and the money is back', async () => {
    const placed = await makeHold(setup)
    await expireHoldsNow(placed)
    assertRefusal(await send(placed.fields), endpoint, 'HOLD_EXPIRED')
    assert.deepEqual(await readMoney(placed), [100_00n, 0n, 0n])
    // The expiry is booked now.
    const again = { ...placed.fields, id: randomUUID() }
    assertRefusal(await send(again), endpoint, 'HOLD_EXPIRED')
  })

  it('404 NOT_FOUND for an unknown hold, and for the hold of another person', async () => {
    const placed = await makeHold(setup)
    const other = await makeHold(setup)
    for (const change of [
      { hold: 'a'.repeat(32) },
      { hold: other.fields.hold },
      { personId: other.fields.personId },
    ]) {
      assertRefusal(await send({ ...placed.fields, ...change }), endpoint, 'NOT_FOUND')
    }
    assert.deepEqual(await readMoney(placed), [70_00n, 30_00n, 0n])
  })

  it('400 INVALID_REQUEST for invalid fields, and for an id that was used for something else', async () => {
    await refusals.refusesFields(setup, endpoint, async () => (await makeHold(setup)).fields, [
      ['id', 'no'],
      ['hold', 'no'],
      ['hold', undefined],
      ['personId', 'x'],
      ['reason', 'no'],
    ])
    const first = await makeHold(setup)
    const second = await makeHold(setup, 20_00n, first)
    await send(first.fields)
    const { id } = first.fields
    assertRefusal(await send({ ...second.fields, id }), endpoint, 'INVALID_REQUEST', 'id')
    assert.deepEqual(await readMoney(second), [80_00n, 20_00n, 0n])
  })
})

describe('POST /api/admin/grants/approve', () => {
  /** A release that waits for a second operator. */
  async function plantOpen() {
    const placed = await makeHold(setup)
    const { id, hold, reason } = placed.fields
    const { id: userId, walletId } = placed.user
    const proposerId = (await addOperator(setup, setup.owner, 'operator')).id
    const common = { id, userId, walletId, hold, reason, proposerId }
    await setup.harness.context.db.query(
      insertGrant({ ...common, kind: 'hold_release', amount: 30_00n, needsSecond: true }),
    )
    return placed
  }

  it('409 HOLD_CLOSED if the app captured the hold while the release waited', async () => {
    const placed = await plantOpen()
    await call(placed, capture, { hold: placed.pair, ...pairOf('END') })
    const refused = await approve(setup, setup.operator, placed.fields)
    assertRefusal(refused, endpoints.approveGrant, 'HOLD_CLOSED')
    assert.equal((await rowOf(setup, placed.fields)).refusal, 'HOLD_CLOSED')
    assert.deepEqual(await readMoney(placed), [70_00n, 0n, 0n])
  })

  it('409 HOLD_EXPIRED if the time of the hold was over while the release waited', async () => {
    const placed = await plantOpen()
    await expireHoldsNow(placed)
    const refused = await approve(setup, setup.operator, placed.fields)
    assertRefusal(refused, endpoints.approveGrant, 'HOLD_EXPIRED')
    assert.equal((await rowOf(setup, placed.fields)).refusal, 'HOLD_EXPIRED')
    assert.deepEqual(await readMoney(placed), [100_00n, 0n, 0n])
  })
})
