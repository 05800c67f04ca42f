import { createIntent as endpoint } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mintSession } from '../test/shop.ts'
import { assertRefusal, movesNothing, type Stage } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  confirm,
  inSession,
  openTopupStage,
  post,
  rowOf,
  topUp,
  withNewUser,
} from '../test/topup-setup.ts'
import { refundTopup } from './refund-topup.ts'

async function ask(there: Stage, amount: unknown) {
  return post(there, inSession(endpoint, await mintSession(there)), { amount })
}

describe('amounts of top-ups', () => {
  it('400 INVALID_AMOUNT when it would not fit into the wallet', async () => {
    const stage = await openTopupStage()
    try {
      const there = await withNewUser(stage, 999_999_999_999_999n - 4_99n)
      assertRefusal(await ask(there, 5), endpoint, 'INVALID_AMOUNT')
      await begin(there, 4.99)
    } finally {
      await stage.close()
    }
  })

  it('200 reaches the processor in its own units, whatever the currency', async () => {
    // Code, what is asked for, what the processor is told, what is refused.
    const currencies = [
      ['JPY', '500', 500, '500.5'],
      ['KWD', '1.230', 1230, '1.234'],
      ['ISK', '500', 50_000, '500.5'],
      ['UGX', '900', 90_000, '900.5'],
      ['MGA', '500.00', 500, '500.50'],
    ] as const
    for (const [CURRENCY, amount, units, refused] of currencies) {
      const other = await openTopupStage({ CURRENCY })
      try {
        const there = await withNewUser(other)
        const intent = await begin(there, amount as unknown as number)
        assert.equal(other.sandbox.state.paymentIntents.get(intent.paymentIntentId)?.amount, units)
        assert.equal(intent.amount, Number(amount))
        assertRefusal(await ask(there, refused), endpoint, 'INVALID_AMOUNT')
        other.sandbox.complete(intent.paymentIntentId)
        const { balance } = (await confirm(there, intent)).json<{ balance: number }>()
        assert.equal(balance, Number(amount))
        await assertBooks(other)
      } finally {
        await other.close()
      }
    }
  })

  it('a refund that the processor could only take rounded is refused before anything moves', async () => {
    for (const CURRENCY of ['KWD', 'MGA']) {
      const other = await openTopupStage({ CURRENCY })
      try {
        const there = await withNewUser(other)
        const { id } = await rowOf(there, await topUp(there, 500))
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

  it('200 takes its bounds from TOPUP_MIN and TOPUP_MAX', async () => {
    const other = await openTopupStage({ TOPUP_MIN: '5', TOPUP_MAX: '50.5' })
    try {
      for (const amount of [4.99, 50.51]) {
        assertRefusal(await ask(other, amount), endpoint, 'INVALID_AMOUNT')
      }
      for (const amount of [5, 50.5]) await begin(other, amount)
    } finally {
      await other.close()
    }
  })
})
