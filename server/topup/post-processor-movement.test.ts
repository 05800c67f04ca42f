/** Money that the processor returns after the account was deleted. */
import { readOverview } from '@coffer/contract/admin/overview'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../database/in-transaction.ts'
import { UNCLAIMED_ACCOUNT } from '../ledger/types.ts'
import { ADMIN_ENV, askAs, makeOperator } from '../test/admin-setup.ts'
import { movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  chargeOf,
  openTopupSetup,
  rowOf,
  topUp,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventsAbout } from '../test/webhooks.ts'
import { postProcessorMovement } from './post-processor-movement.ts'
import { refundTopup } from './refund-topup.ts'

describe('money for a deleted account', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup(ADMIN_ENV)
  })
  after(() => setup.close())

  async function deliverAll(shop: TopupSetup, { paymentIntentId }: Intent) {
    await setup.harness.admin.query('delete from directory.processor_events')
    for (const event of eventsAbout(shop, paymentIntentId)) {
      assert.equal((await deliver(shop, event)).statusCode, 200)
    }
  }

  async function close({ user: { walletId } }: TopupSetup) {
    const { db, ledger } = setup.harness.context
    assert(await inTransaction(db, (tx) => ledger.closeWallet(walletId, tx)))
  }

  async function unclaimed() {
    const viewer = await makeOperator(setup.harness, 'viewer')
    const overview = await askAs({ harness: setup.harness }, viewer, readOverview, {
      period: '24h',
    })
    return overview.json().unclaimed
  }

  async function movedToUnclaimed({ user: { walletId } }: TopupSetup) {
    const { rows } = await setup.harness.admin.query<{ amount: string }>(
      'select amount::text from ledger.operations where wallet_id = $1 and counter_account = $2 order by seq',
      [walletId, UNCLAIMED_ACCOUNT],
    )
    return rows.map(({ amount }) => amount)
  }

  const empty = { balance: 0n, debt: 0n, isActive: true }

  it('is set aside once if a dispute is won, and the overview shows it', async () => {
    const atFirst = await unclaimed()
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id } = setup.sandbox.openDispute(chargeOf(shop, intent))
    await deliverAll(shop, intent)
    await close(shop)
    setup.sandbox.resolveDispute(id, 'won')
    await deliverAll(shop, intent)
    assert.deepEqual(await walletOf(shop), empty)
    assert.deepEqual(await movedToUnclaimed(shop), ['-2000'])
    await movesNothing(setup.harness.admin, () => deliverAll(shop, intent))
    assert.equal(await unclaimed(), atFirst + 20)
    await assertBooks(setup)
  })

  it('is set aside if a refund to the card fails', async () => {
    const shop = await withNewUser(setup)
    const intent = await topUp(shop, 20)
    const { id: topupId } = await rowOf(shop, intent)
    await refundTopup(setup.tools, topupId, 20_00n)
    const { rows } = await setup.harness.admin.query<{ stripe_id: string }>(
      'select stripe_id from directory.refunds where topup_id = $1',
      [topupId],
    )
    await close(shop)
    setup.sandbox.failRefund(rows[0]?.stripe_id ?? '')
    await deliverAll(shop, intent)
    await movesNothing(setup.harness.admin, () => deliverAll(shop, intent))
    assert.deepEqual(await walletOf(shop), empty)
    assert.deepEqual(await movedToUnclaimed(shop), ['-2000'])
    await assertBooks(setup)
  })

  it('is set aside by a repeat if the process stopped in between, and by two processes once', async () => {
    const shop = await withNewUser(setup)
    const { ledger } = setup.harness.context
    const { walletId } = shop.user
    await close(shop)
    const reversalOf = (name: string, amountMinor: bigint) =>
      ({
        kind: 'reversal',
        referenceType: 'DISPUTE_REINSTATED',
        referenceId: `${name}_${walletId}`,
        walletId,
        amountMinor,
        counterAccount: 1,
        description: null,
      }) as const
    // The first process stops before it moves the money on.
    await ledger.post(reversalOf('first', 7_00n))
    const repeat = reversalOf('repeat', 3_00n)
    await Promise.all(Array.from({ length: 20 }, () => postProcessorMovement(ledger, repeat)))
    await postProcessorMovement(ledger, repeat)
    assert.deepEqual(await walletOf(shop), empty)
    assert.equal(
      (await movedToUnclaimed(shop)).reduce((sum, amount) => sum + Number(amount), 0),
      -10_00,
    )
  })
})
