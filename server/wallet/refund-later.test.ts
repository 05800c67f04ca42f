/** Refunds of wallets that changed since the debit, and refunds in batches. */
import { batch } from '@coffer/contract/server/batch'
import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import {
  credit,
  debit,
  findOperation,
  readWallet,
  refund as endpoint,
} from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../database/in-transaction.ts'
import { link, unlink } from '../identity/link.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { giveBonus, makeClientApp } from '../test/factories.ts'
import { captureHold, placeHold } from '../test/ledger/hold-setup.ts'
import { balanceOf, pairOf, pay, refund } from '../test/ledger/refund-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertReplay, call, furnish, openSetup, type Fields, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

describe('POST /api/server/wallet/refund', () => {
  it('works on a frozen wallet and pays debt first', async () => {
    const there = await furnish(setup.harness)
    const paid = await pay(there, 60)
    const { ledger } = there.harness.context
    await ledger.setWalletActive(there.user.walletId, false)
    await ledger.post({
      kind: 'seizure',
      ...pairOf('DISPUTE'),
      walletId: there.user.walletId,
      amountMinor: 50_00n,
      counterAccount: PROCESSOR_ACCOUNT,
      description: null,
    })
    const response = (await refund(there, paid)).json()
    assert.deepEqual([response.balance, response.refunded], [50, 60])
    const wallet = await ledger.readWallet(there.user.walletId)
    assert.deepEqual([wallet?.balance, wallet?.debt], [50_00n, 0n])
  })

  it('works after the user has unlinked the app, without the balance, also when replayed after relinking', async () => {
    const there = await furnish(setup.harness)
    const paid = await pay(there, 10)
    const { context } = there.harness
    const shown = pairOf('REFUND')
    const first = await refund(there, paid, { ...shown, amount: 1 })
    await unlink(context.db, there.app.id, there.user.id)
    assertReplay(await refund(there, paid, { ...shown, amount: 1 }), first)
    const hidden = pairOf('REFUND')
    const response = await refund(there, paid, { ...hidden, amount: 2 })
    assert.deepEqual([response.json().balance, response.json().refunded], [null, 2])
    await link(context.db, there.app.id, there.user.id)
    assertReplay(await refund(there, paid, { ...hidden, amount: 2 }), response)
    const found = (await call(there, findOperation, { ...hidden })).json()
    assert.deepEqual([found.status, found.balance, found.type], ['posted', null, 'credit'])
    assert.equal((await refund(there, paid)).json().balance, 100)
  })

  it('shows the debit in the history of the app only, not in those of others', async () => {
    const there = await furnish(setup.harness)
    const { context } = there.harness
    const stranger = await makeClientApp(context)
    const serviceUserId = await link(context.db, stranger.id, there.user.id)
    await refund(there, await pay(there, 10), { amount: 4 })
    const placed = await placeHold(there, 5)
    await captureHold(there, placed, { amount: 3 })
    const readAs = async (who: Pick<Setup, 'harness' | 'app'>, id: string) => {
      const response = await call(who, readWallet, { serviceUserId: id, limit: 4 })
      return response.json().transactions.map((each: Fields) => 'refundOf' in each)
    }
    assert.deepEqual(await readAs(there, there.user.serviceUserId), [false, false, true, false])
    const shown = await readAs({ ...there, app: stranger }, serviceUserId)
    assert.deepEqual(shown, [false, false, false, false])
  })

  it('409 WALLET_CLOSED is recorded after the account was deleted; a wallet with money is not closed', async () => {
    const there = await furnish(setup.harness)
    const { db, ledger } = there.harness.context
    const close = () => inTransaction(db, (tx) => ledger.closeWallet(there.user.walletId, tx))
    const paid = await pay(there, 40)
    assert.equal(await close(), false)
    await pay(there, 60)
    assert.equal(await close(), true)
    const pair = pairOf('REFUND')
    const response = await refund(there, paid, pair)
    assert.deepEqual([response.statusCode, response.json().code], [409, 'WALLET_CLOSED'])
    assertReplay(await refund(there, paid, pair), response)
    assert.equal(await balanceOf(there), 0n)
  })

  it('403 CREDIT_LIMIT_EXCEEDED also limits refunds', async () => {
    const there = await furnish(setup.harness)
    const app = await makeClientApp(there.harness.context, { creditLimit: 5_00n })
    const serviceUserId = await link(there.harness.context.db, app.id, there.user.id)
    const mine = { ...there, app, user: { ...there.user, serviceUserId } }
    const paid = await pay(mine, 20)
    const given = { serviceUserId, amount: 20, ...pairOf('BONUS') }
    assert.equal((await call(mine, credit, given)).statusCode, 200)
    const response = await refund(mine, paid, { amount: 5.01 })
    assert.deepEqual([response.statusCode, response.json().code], [403, 'CREDIT_LIMIT_EXCEEDED'])
    assert.equal((await refund(mine, paid, { amount: 5 })).statusCode, 200)
  })

  it('400 BALANCE_LIMIT is recorded', async () => {
    const there = await furnish(setup.harness)
    const paid = await pay(there, 10)
    const { ledger } = there.harness.context
    await giveBonus(ledger, there.user.walletId, BALANCE_MAX_MINOR - 95_00n)
    const pair = pairOf('REFUND')
    const response = await refund(there, paid, pair)
    assert.deepEqual([response.statusCode, response.json().code], [400, 'BALANCE_LIMIT'])
    assertReplay(await refund(there, paid, pair), response)
    assert.equal((await refund(there, paid, { amount: 5 })).statusCode, 200)
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked too long, and a retry returns the outcome', async () => {
    const paid = await pay(setup, 2)
    await refusals.outcomeUnknown(setup, endpoint, () => ({ debit: paid, ...pairOf('REFUND') }))
  })

  it('409 REFERENCE_MISMATCH for the reference of a debit', async () => {
    const there = await furnish(setup.harness)
    const paid = await pay(there, 10)
    const response = await refund(there, paid, { ...paid })
    assert.deepEqual([response.statusCode, response.json().code], [409, 'REFERENCE_MISMATCH'])
    assert.equal(await balanceOf(there), 90_00n)
  })
})

async function reuseRefund(to: typeof debit | typeof credit) {
  const there = await furnish(setup.harness)
  const paid = await pay(there, 10)
  const pair = pairOf('REFUND')
  await refund(there, paid, { ...pair, amount: 1 })
  const { serviceUserId } = there.user
  const response = await call(there, to, { serviceUserId, amount: 1, ...pair })
  assert.deepEqual([response.statusCode, response.json().code], [409, 'REFERENCE_MISMATCH'])
  assert.equal(await balanceOf(there), 91_00n)
}

describe('POST /api/server/wallet/debit', () => {
  it('409 REFERENCE_MISMATCH for the reference of a refund', () => reuseRefund(debit))
})

describe('POST /api/server/wallet/credit', () => {
  it('409 REFERENCE_MISMATCH for the reference of a refund', () => reuseRefund(credit))
})

describe('a refund in a batch', () => {
  it('can name a debit that is before it in the batch, and gets the response of the single call', async () => {
    const there = await furnish(setup.harness)
    const paid = pairOf('ORDER')
    const { serviceUserId } = there.user
    const refunded = pairOf('REFUND')
    const operations = [
      { type: 'debit', serviceUserId, amount: 10, ...paid },
      { type: 'refund', debit: paid, amount: 4, ...refunded },
      { type: 'refund', debit: paid, ...pairOf('REFUND') },
      { type: 'refund', debit: paid, ...pairOf('REFUND') },
      { type: 'refund', debit: pairOf('ORDER'), ...pairOf('REFUND') },
    ]
    const { results } = (await call(there, batch, { operations })).json()
    assert.deepEqual(
      results.map(({ status, code, refunded: amount }: Fields) => [status, code ?? amount]),
      [
        [200, undefined],
        [200, 4],
        [200, 6],
        [409, 'REFUND_EXCEEDS_DEBIT'],
        [404, 'OPERATION_NOT_FOUND'],
      ],
    )
    const single = await refund(there, paid, { ...refunded, amount: 4 })
    const { status: _, ...body } = results[1]
    assert.deepEqual(single.json(), body)
    assert.equal(await balanceOf(there), 100_00n)
  })

  it('names nothing if the debit before it cannot be executed, because the user has unlinked the app', async () => {
    const there = await furnish(setup.harness)
    await unlink(there.harness.context.db, there.app.id, there.user.id)
    const paid = pairOf('ORDER')
    const { serviceUserId } = there.user
    const operations = [
      { type: 'debit', serviceUserId, amount: 10, ...paid },
      { type: 'refund', debit: paid, ...pairOf('REFUND') },
    ]
    const { results } = (await call(there, batch, { operations })).json()
    assert.deepEqual(
      results.map(({ status, code }: Fields) => [status, code]),
      [
        [404, 'USER_NOT_FOUND'],
        [404, 'OPERATION_NOT_FOUND'],
      ],
    )
    assert.equal(await balanceOf(there), 100_00n)
  })
})
