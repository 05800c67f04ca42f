/** The period of the overview begins with its first hour or day, and nothing before it is counted. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'
import { readFigures } from './read-figures.ts'

const ACCOUNT = 1_007n

describe('the figures of a period', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    await harness.admin.query(`
      insert into books.hours select '2026-03-01 00:00Z'::timestamptz + make_interval(hours => h), ${ACCOUNT}, 'debit', 1, -5, 0
        from generate_series(-24, 23) h;
      insert into books.days select '2026-03-01'::date + d, ${ACCOUNT}, 'debit', 24, -120, 0
        from generate_series(-1, 1) d`)
  })
  after(() => harness.end())

  for (const { step, from, count } of [
    { step: 'hour', from: '2026-03-01T22:00:00Z', count: 2n },
    { step: 'day', from: '2026-03-01T00:00:00Z', count: 48n },
  ] as const) {
    it(`include the first ${step} and none before it`, async () => {
      const { slots, accounts } = await readFigures(harness.context.db, new Date(from), step)
      assert.equal(Math.min(...slots.keys()), Date.parse(from))
      assert.equal(slots.size, 2)
      const change = count * 5n
      assert.deepEqual(accounts.get(ACCOUNT)?.get('debit'), { count, change })
    })
  }

  it('show what holds, releases and expiries moved between balance and held', async () => {
    const account = ACCOUNT + 1n
    await harness.admin.query(
      `insert into books.hours (hour, account, kind, count, amount, debt_change, held_change)
        values ('2026-03-01 23:00Z', ${account}, 'hold', 2, -9, 0, 9),
          ('2026-03-01 23:00Z', ${account}, 'release', 1, 4, 0, -4),
          ('2026-03-01 23:00Z', ${account}, 'expiry', 1, 5, 0, -5)`,
    )
    const from = new Date('2026-03-01T22:00:00Z')
    const { accounts } = await readFigures(harness.context.db, from, 'hour')
    const moved = [...(accounts.get(account) ?? [])].map(([kind, { change }]) => [kind, change])
    assert.deepEqual(Object.fromEntries(moved), { hold: 9n, release: -4n, expiry: -5n })
  })

  it('count what holds reserve as money that the wallets have', async () => {
    await harness.admin.query(
      `insert into books.totals (account, kind, count, amount, debt_change, held_change)
        values (${ACCOUNT}, 'credit', 1, 100, 0, 0), (${ACCOUNT}, 'hold', 1, -30, 0, 30),
          (${ACCOUNT}, 'capture', 1, 0, 0, -10)`,
    )
    const { walletsTotal, settlements } = await readFigures(harness.context.db, new Date(), 'hour')
    assert.deepEqual([walletsTotal, settlements.get(ACCOUNT)], [90n, -90n])
  })
})
