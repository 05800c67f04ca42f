import { createIntent as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mintSession } from '../test/shop.ts'
import { assertRefusal, movesNothing, type Setup } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  confirm,
  inSession,
  openTopupSetup,
  post,
  rowOf,
  topUp,
  withNewUser,
} from '../test/topup-setup.ts'
import { refundTopup } from './refund-topup.ts'

async function create(shop: Setup, amount: unknown) {
  return post(shop, inSession(endpoint, await mintSession(shop)), { amount })
}

describe('amounts of top-ups', () => {
  it('200 are converted to the units of the processor in every currency', async () => {
    // Currency, requested amount, amount at the processor, an amount that is rejected.
    const currencies = [
      ['JPY', '500', 500, '500.5'],
      ['KWD', '1.230', 1230, '1.234'],
      ['ISK', '500', 50_000, '500.5'],
      ['UGX', '900', 90_000, '900.5'],
      ['MGA', '500.00', 500, '500.50'],
    ] as const
    for (const [CURRENCY, amount, units, refused] of currencies) {
      const other = await openTopupSetup({ CURRENCY })
      try {
        const shop = await withNewUser(other)
        const intent = await begin(shop, amount as unknown as number)
        assert.equal(other.sandbox.state.paymentIntents.get(intent.paymentIntentId)?.amount, units)
        assert.equal(intent.amount, Number(amount))
        assertRefusal(await create(shop, refused), endpoint, 'INVALID_AMOUNT')
        other.sandbox.complete(intent.paymentIntentId)
        const { balance } = (await confirm(shop, intent)).json<{ balance: number }>()
        assert.equal(balance, Number(amount))
        await assertBooks(other)
      } finally {
        await other.close()
      }
    }
  })

  it('a refund that the processor would have to round is refused before any money moves', async () => {
    for (const CURRENCY of ['KWD', 'MGA']) {
      const other = await openTopupSetup({ CURRENCY })
      try {
        const shop = await withNewUser(other)
        const { id } = await rowOf(shop, await topUp(shop, 500))
        await movesNothing(other.harness.admin, () =>
          assert.rejects(refundTopup(other.tools, id, 5n), { code: 'INVALID_AMOUNT' }),
        )
        assert.equal((await refundTopup(other.tools, id, 100n)).status, 'sent')
        await assertBooks(other)
      } finally {
        await other.close()
      }
    }
  })

  it('200 are limited by TOPUP_MIN and TOPUP_MAX', async () => {
    const other = await openTopupSetup({ TOPUP_MIN: '5', TOPUP_MAX: '50.5' })
    try {
      for (const amount of [4.99, 50.51]) {
        assertRefusal(await create(other, amount), endpoint, 'INVALID_AMOUNT')
      }
      for (const amount of [5, 50.5]) await begin(other, amount)
    } finally {
      await other.close()
    }
  })
})
