import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  completeTotals,
  assertTotals,
  countOperations,
  blockTotals,
  post,
} from '../test/books-setup.ts'
import { giveBonus, makeClientApp, makeUser, type TestApp } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { balanceBooks } from './balance-books.ts'
import { openLease } from '../database/leases.ts'
import { one } from '../database/statement.ts'
import { READ_VERIFICATION, type VerificationState } from './verification-queries.ts'
import { createBooksVerifier, startBooksVerifier } from './verify-books.ts'

let harness: Harness
let app: TestApp
let walletId: bigint
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
  await blockTotals(harness.admin)
  app = await makeClientApp(harness.context, { creditLimit: 1_000_00n })
  walletId = (await makeUser(harness.context, 500_00n)).walletId
  // More operations on one wallet than fit into a portion, and more wallets than fit into a page.
  const hot = (await makeUser(harness.context, 500_00n)).walletId
  // A busy machine would refuse more at once.
  for (let turn = 0; turn < 25; turn++) {
    const debits = Array.from({ length: 50 }, () =>
      post(harness, 'debit', { walletId: hot, account: app.ledgerAccount }),
    )
    await Promise.all(debits)
  }
  await post(harness, 'credit', { walletId, account: app.ledgerAccount, amountMinor: 7_00n })
  for (const [kind, amountMinor] of [
    ['seizure', 900_00n],
    ['topup', 100_00n],
  ] as const) {
    await harness.context.ledger.post({
      kind,
      referenceType: 'VERIFY',
      referenceId: randomUUID(),
      walletId,
      amountMinor,
      counterAccount: 1,
      description: null,
    })
  }
  await harness.admin.query('insert into ledger.wallets select from generate_series(1, 600)')
  await makeUser(harness.context, 5_00n)
  await completeTotals(harness)
})
after(() => harness.end())

beforeEach(() =>
  harness.admin
    .query(`update books.verification set balanced_at = null, balanced_operations = null, verified_at = null,
    verified_operations = null, fault = null, fault_at = null, round_began_at = null, round_operations = 0,
    round_fault = null, position = null`),
)

async function readState(): Promise<VerificationState> {
  return (await one(harness.context.db, READ_VERIFICATION)) as VerificationState
}

/** The verifier of one process. */
function openVerifier() {
  const lease = openLease(harness.context.db, 'verify-books')
  return { lease, verifier: createBooksVerifier(harness.context, lease) }
}

/** Runs a complete round; with `relieve`, two processes work alternately, one portion each. */
async function walkAll(options = { relieve: false }): Promise<VerificationState> {
  await harness.admin.query('update books.verification set round_began_at = null')
  const processes = [openVerifier(), openVerifier()]
  for (let turn = 0; turn < 100; turn++) {
    const { lease, verifier } = processes[options.relieve ? turn % 2 : 0] as (typeof processes)[0]
    assert(await lease.take(), 'another process works')
    await verifier.work()
    if (options.relieve) await lease.release()
    const verification = await readState()
    if (verification.position !== null || verification.roundBeganAt === null) continue
    await lease.release()
    return verification
  }
  throw new Error('the round does not end')
}

/** Makes a change that the service's role has no permission for, runs the check, and reverts the change. */
async function tamper(change: string, check: () => Promise<void>) {
  const { admin } = harness
  const tables = ['wallets', 'operations', 'operation_keys', 'accounts']
  for (const table of tables)
    await admin.query(`create table was_${table} as select * from ledger.${table}`)
  try {
    await admin.query(change)
    await check()
  } finally {
    for (const table of tables) {
      await admin.query(`delete from ledger.${table}`)
      await admin.query(
        `insert into ledger.${table} overriding system value select * from was_${table}`,
      )
      await admin.query(`drop table was_${table}`)
    }
  }
}

const faultsLogged = () =>
  harness.logLines.filter((line) => line.includes('the books are wrong')).length
async function faultsCounted(): Promise<number> {
  const text = await harness.context.metrics.registry.metrics()
  return Number(/^coffer_books_faults_total (\d+)$/m.exec(text)?.[1])
}

describe('the continuous verifier', () => {
  it('finds no fault in correct books, however many portions they need', async () => {
    const verification = await walkAll()
    assert.equal(verification.fault, null)
    assert.equal(Number(verification.verifiedOperations), await countOperations(harness.admin))
    assert.equal(Number(verification.balancedOperations), await countOperations(harness.admin))
    assert(
      verification.verifiedAt &&
        verification.balancedAt &&
        verification.verifiedAt <= verification.balancedAt,
    )
  })

  it('continues where another process stopped', async () => {
    const verification = await walkAll({ relieve: true })
    assert.equal(verification.fault, null)
    assert.equal(Number(verification.verifiedOperations), await countOperations(harness.admin))
  })

  it('finds no fault while operations are posted', async () => {
    const over = new AbortController()
    const posting = (async () => {
      while (!over.signal.aborted)
        await post(harness, 'debit', { walletId, account: app.ledgerAccount })
    })()
    try {
      for (let round = 0; round < 3; round++) assert.equal((await walkAll()).fault, null)
    } finally {
      over.abort()
      await posting
    }
    await completeTotals(harness)
  })

  const cases: [name: string, change: () => string, fault: RegExp][] = [
    [
      'a forged amount',
      () =>
        `update ledger.operations set amount = amount + 1 where wallet_id = ${walletId} and seq = 2`,
      /operation 2: the hash does not match the row/,
    ],
    [
      'a missing row in the middle',
      () => `delete from ledger.operations where wallet_id = ${walletId + 1n} and seq = 1100`,
      /operation 1100: the row is missing/,
    ],
    [
      'a forged balance',
      () => `update ledger.wallets set balance = balance + 1 where id = ${walletId}`,
      /trial balance: the wallets hold/,
    ],
    [
      'a deleted wallet',
      () => `delete from ledger.wallets where id = (select max(id) from ledger.wallets)`,
      /trial balance: the wallets have/,
    ],
    [
      'two changed balances with an unchanged sum',
      () =>
        `update ledger.wallets set balance = balance + case id when ${walletId} then 1 else -1 end
         where id in (${walletId}, ${walletId + 1n})`,
      /wallet \d+: the balance is \d+, its operations add up to/,
    ],
    [
      'a forged running balance of an account',
      () => `update ledger.accounts set balance = balance + 1 where id = ${app.ledgerAccount}`,
      /account \d+: the balance is -?\d+, its operations add up to/,
    ],
    [
      'a key whose operation was deleted',
      () =>
        `insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
         values (gen_random_uuid(), ${walletId}, 99, now(), 'debit', 1, 0)`,
      /operation 99: the row is missing, its key is still there/,
    ],
  ]
  for (const [name, change, fault] of cases) {
    it(`finds ${name}, reports it until a complete round finds nothing, and continues the round`, async () => {
      const [logged, counted] = [faultsLogged(), await faultsCounted()]
      await tamper(change(), async () => {
        const verification = await walkAll()
        assert.match(String(verification.fault), fault)
        assert.equal(verification.verifiedAt, null)
        assert(faultsLogged() > logged)
        assert((await faultsCounted()) > counted)
        const again = await walkAll()
        assert.equal(again.faultAt?.getTime(), verification.faultAt?.getTime())
      })
      assert.equal((await walkAll()).fault, null)
    })
  }

  it('adds operations that are late because the clock was set back, and reports no fault', async () => {
    const totalsUpTo = await completeTotals(harness)
    await giveBonus(harness.context.ledger, walletId, 3_00n)
    await completeTotals(harness)
    // Removes the last operation from the totals, as if it had been posted after the totals of its hour were complete.
    await harness.admin.query(
      `with late as (select * from ledger.operations where created_at >= $1),
         h as (update books.hours h set count = h.count - 1, amount = h.amount - late.amount from late
           where h.hour = date_trunc('hour', late.created_at, 'UTC') and h.account = 2),
         d as (update books.days d set count = d.count - 1, amount = d.amount - late.amount from late
           where d.day = (late.created_at at time zone 'UTC')::date and d.account = 2)
       update books.totals t set count = t.count - 1, amount = t.amount - late.amount from late where t.account = 2`,
      [totalsUpTo],
    )
    await assert.rejects(assertTotals(harness.admin))
    assert.equal((await balanceBooks(harness.context))?.fault, undefined)
    await assertTotals(harness.admin)
    assert(harness.logLines.some((line) => line.includes('the clock was set back')))
    const text = await harness.context.metrics.registry.metrics()
    assert.match(text, /^coffer_books_late_operations_total 1$/m)
  })

  it('reports no fault while the clock is behind, and counts every operation in the end', async () => {
    await completeTotals(harness)
    await harness.admin.query(
      `update books.progress set totals_up_to = now() + interval '1 minute'`,
    )
    const over = new AbortController()
    const posting = (async () => {
      while (!over.signal.aborted)
        await post(harness, 'debit', { walletId, account: app.ledgerAccount })
    })()
    try {
      for (let round = 0; round < 3; round++) assert.equal((await walkAll()).fault, null)
    } finally {
      over.abort()
      await posting
    }
    assert.equal((await balanceBooks(harness.context))?.fault, undefined)
    await assertTotals(harness.admin)
    await harness.admin.query(
      `update books.progress set totals_up_to = date_trunc('milliseconds', now())`,
    )
    await assertTotals(harness.admin)
  })

  it('finds an operation that is missing from a closed hour', async () => {
    await harness.admin.query(
      `update books.totals set count = count + 1 where account = 2;
       update books.hours set count = count + 1 where account = 2`,
    )
    assert.match(String((await walkAll()).fault), /bonus of account 2 .* are missing/)
    await harness.admin.query(
      `update books.totals set count = count - 1 where account = 2;
       update books.hours set count = count - 1 where account = 2`,
    )
  })

  it('runs in the background, waits between rounds, and releases its lease when it stops', async () => {
    const verifier = startBooksVerifier(harness.context, 50, true)
    for (let wait = 0; wait < 100 && (await readState()).verifiedAt === null; wait++)
      await sleep(100)
    await verifier.stop()
    const verification = await readState()
    assert(verification.verifiedAt, 'no round was finished')
    assert.equal(verification.fault, null)
    const { lease } = openVerifier()
    assert(await lease.take())
    await lease.release()
  })
})
