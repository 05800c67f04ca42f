import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { recomputeTotals, blockTotals } from '../test/books-setup.ts'
import { giveBonus, makeClientApp, makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { balanceBooks } from './balance-books.ts'
import { recountHour } from './recount.ts'

/** The hour that is recounted. */
const HOUR = '2026-01-31T12:00:00Z'

let harness: Harness
let walletId: bigint
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
  await blockTotals(harness.admin)
  walletId = (await makeUser(harness.context)).walletId
  for (const amount of [100n, 200n, 300n]) await giveBonus(harness.context.ledger, walletId, amount)
  await harness.admin.query(
    `update ledger.operations set created_at = '${HOUR}'::timestamptz + interval '1 minute';
     create table backup_operations as select * from ledger.operations`,
  )
})
after(() => harness.end())

/** Computes the totals of the three operations, before the test changes the operations. */
beforeEach(async () => {
  await harness.admin.query(`delete from ledger.operations;
    insert into ledger.operations select * from backup_operations`)
  await recomputeTotals(harness.admin)
})

async function readTotals() {
  const { rows } = await harness.admin.query<{ count: string; amount: string }>(
    'select count, amount, debt_change from books.hours where hour = $1',
    [HOUR],
  )
  return rows
}

const recount = () => recountHour(harness.context, new Date(HOUR))
const NAME = 'bonus of account 2 in the hour from 2026-01-31T12:00'

describe('recountHour', () => {
  it('finds no fault if the operations match the totals', async () => {
    assert.equal(await recount(), undefined)
  })

  for (const [name, change, fault] of [
    [
      'an amount was changed',
      'update ledger.operations set amount = amount + 1 where seq = 2',
      `${NAME}: the amounts differ by 1 from the totals`,
    ],
    [
      'a debt was changed',
      'update ledger.operations set debt_change = 1 where seq = 2',
      `${NAME}: the amounts differ by 0 from the totals`,
    ],
    [
      'an operation is missing',
      'delete from ledger.operations where seq = 2',
      `${NAME}: 1 operations are missing that are in the totals`,
    ],
    [
      'an operation was replaced by one of the same account and kind',
      'update ledger.operations set amount = case seq when 1 then 101 else 150 end where seq in (1, 2)',
      `${NAME}: the amounts differ by -49 from the totals`,
    ],
  ] as const) {
    it(`reports the difference if ${name}, and keeps the totals`, async () => {
      await harness.admin.query(change)
      const totals = await readTotals()
      assert.equal(await recount(), fault)
      assert.deepEqual(await readTotals(), totals)
    })
  }

  it('counts a busy hour in several slices, and finds the same', async () => {
    let steps = 0
    const onStep = async () => void steps++
    const recountInSlices = () => recountHour(harness.context, new Date(HOUR), onStep, 0.001)
    assert.equal(await recountInSlices(), undefined)
    assert(steps > 3, `${steps} slices`)
    await harness.admin.query(
      `update ledger.operations set created_at = '2026-01-31T12:59:59.999Z', amount = amount + 1 where seq = 2`,
    )
    assert.equal(await recountInSlices(), `${NAME}: the amounts differ by 1 from the totals`)
    await harness.admin.query(
      `update ledger.operations set created_at = '2026-01-31T13:00Z' where seq = 2`,
    )
    assert.match(String(await recountInSlices()), /1 operations are missing/)
  })

  it('takes no lock if the operations match the totals', async () => {
    const { admin } = harness
    await admin.query('begin; select from books.progress for update')
    try {
      assert.equal(await recount(), undefined)
    } finally {
      await admin.query('rollback')
    }
  })

  it('adds late operations to the totals', async () => {
    await harness.admin.query(`update books.hours set count = 2, amount = 300`)
    assert.equal(await recount(), undefined)
    assert.deepEqual(await readTotals(), [{ count: '3', amount: '600', debt_change: '0' }])
  })

  it('adds nothing if one total is late and another was changed', async () => {
    const { ledgerAccount: account } = await makeClientApp(harness.context)
    await harness.admin.query(
      `update books.hours set count = 2, amount = 300;
       insert into books.hours values ('${HOUR}', ${account}, 'debit', 1, -5, 0)`,
    )
    const totals = await readTotals()
    assert.match(String(await recount()), new RegExp(`debit of account ${account} .* are missing`))
    assert.deepEqual(await readTotals(), totals)
  })
})

describe('balanceBooks', () => {
  it('reports a running balance that does not match the operations, even for an account without operations', async () => {
    const { ledgerAccount: account } = await makeClientApp(harness.context, {
      creditLimit: 100_00n,
    })
    assert.equal((await balanceBooks(harness.context))?.fault, undefined)
    await harness.admin.query('update ledger.accounts set balance = 7 where id = $1', [account])
    assert.equal(
      (await balanceBooks(harness.context))?.fault,
      `account ${account}: the balance is 7, its operations add up to 0`,
    )
    await harness.admin.query('update ledger.accounts set balance = 0 where id = $1', [account])
  })

  it('reports wallets whose balances, debts or counters do not match the operations', async () => {
    for (const [column, verb, unit, sum] of [
      ['balance', 'hold', '', 600],
      ['debt', 'owe', '', 0],
      ['seq', 'have', ' operations', 3],
    ] as const) {
      const set = (change: string) =>
        harness.admin.query(`update ledger.wallets set ${column} = ${column} ${change}`)
      await set('+ 1')
      assert.equal(
        (await balanceBooks(harness.context))?.fault,
        `trial balance: the wallets ${verb} ${sum + 1}${unit}, the books have ${sum}`,
      )
      await set('- 1')
    }
  })
})
