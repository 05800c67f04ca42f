import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type pg from 'pg'
import { createBooksVerifier } from '../books/verify-books.ts'
import { openLease } from '../database/leases.ts'
import { blockTotals } from '../test/books-setup.ts'
import {
  FIRST_POSITION,
  verifyPortion,
  type VerifierPosition,
  type Portion,
} from '../books/verify-portion.ts'
import { LOWEST_DIGEST } from '../ledger/verify/check-tables.ts'
import { readCheckpoint } from '../ledger/verify/checkpoint.ts'
import {
  connectOwner,
  OLD,
  OLDEST,
  openFilledArchive,
  publicPem,
  RECENT,
  type FilledArchive,
} from '../test/ledger/archive-setup.ts'
import { giveBonus } from '../test/factories.ts'
import { archiveMonths } from './archive-months.ts'
import { dropMonth, restoreMonth } from './restore-month.ts'

let setup: FilledArchive
beforeEach(async () => {
  setup = await openFilledArchive()
})
afterEach(() => setup.end())

/** A complete round of the continuous verifier. */
async function verifyAll() {
  const faults: unknown[] = []
  const metrics = new Proxy({}, { get: () => () => undefined }) as never
  const log = {
    warn: (fields: unknown) => faults.push(fields),
    error: (fields: unknown) => faults.push(fields),
  }
  const lease = openLease(setup.harness.context.db, 'verify-books')
  assert(await lease.take())
  const verifier = createBooksVerifier(
    { backgroundDb: setup.harness.context.backgroundDb, log: log as never, metrics },
    lease,
  )
  await setup.harness.admin.query(
    `update books.verification set position = null, round_began_at = null`,
  )
  while ((await verifier.work()) === 'worked');
  await lease.release()
  return faults
}

describe('archiveMonths', () => {
  it('moves months to files; balances, chains, sums and both verifiers stay correct', async () => {
    const [first, second] = setup.wallets
    assert.deepEqual([await setup.findFault(), await verifyAll()], [undefined, []])
    await setup.archive(RECENT)
    assert.deepEqual(await setup.listMonths(), [
      [OLDEST, 3],
      [OLD, 3],
    ])
    assert.deepEqual(await setup.readHeads(), [
      [first, OLD, 4],
      [second, OLD, 2],
    ])
    assert.deepEqual(readdirSync(setup.folder).toSorted(), [
      `operations-${OLDEST}.jsonl.gz`,
      `operations-${OLDEST}.manifest`,
      `operations-${OLD}.jsonl.gz`,
      `operations-${OLD}.manifest`,
    ])
    assert.equal(await setup.findFault(), undefined)
    assert.deepEqual(await verifyAll(), [])
    await giveBonus(setup.harness.context.ledger, first as bigint, 9n)
    const manifest = () =>
      readCheckpoint(join(setup.folder, `operations-${OLD}.manifest`), publicPem)
    assert.equal(await setup.findFault({ checkpoint: manifest() }), undefined)
    assert.equal(await setup.findFault({ checkpoint: manifest(), isIncremental: true }), undefined)
    const threads = { databaseUrl: setup.harness.databaseUrl, count: 2 }
    assert.equal(await setup.findFault({ threads }), undefined)
  })

  it('restores months in the opposite order, from the detached table or from the files', async () => {
    const books = await setup.readBooks()
    await setup.archive(RECENT)
    await dropMonth(setup.restoreTools, OLDEST)
    await assert.rejects(restoreMonth(setup.restoreTools, OLDEST), {
      message: `Restore ${OLD} first: months are restored in the opposite order of archiving.`,
    })
    await restoreMonth(setup.restoreTools, OLD)
    assert.deepEqual(await setup.readHeads(), [[setup.wallets[0], OLDEST, 3]])
    assert.deepEqual([await setup.findFault(), await verifyAll()], [undefined, []])
    await restoreMonth(setup.restoreTools, OLDEST)
    assert.deepEqual([await setup.listMonths(), await setup.readHeads()], [[], []])
    assert.deepEqual(await setup.readBooks(), books)
    assert.deepEqual([await setup.findFault(), await verifyAll()], [undefined, []])
    await setup.archive(RECENT)
    assert.equal(await setup.findFault(), undefined)
  })

  it('can be repeated after a crash at any statement', async () => {
    const books = await setup.readBooks()
    const archiveOnce = (locker: pg.ClientBase, worker: pg.ClientBase) =>
      archiveMonths({ ...setup.tools, locker, worker }, RECENT)
    const statements = await crashEverywhere(archiveOnce, async () => {
      assert.equal(await setup.findFault(), undefined)
      for (const [month] of (await setup.listMonths()).toReversed()) {
        await restoreMonth(setup.restoreTools, month)
      }
    })
    assert.ok(statements > 30, `${statements} statements`)
    await archiveOnce(setup.locker, setup.worker)
    assert.deepEqual(await setup.listMonths(), [
      [OLDEST, 3],
      [OLD, 3],
    ])
    await dropMonth(setup.restoreTools, OLD)
    const restoreOnce = (client: pg.ClientBase) =>
      restoreMonth({ ...setup.restoreTools, client }, OLD).then(() => undefined)
    await crashEverywhere(restoreOnce, async () => {
      assert.equal(await setup.findFault(), undefined)
      const isRestored = (await setup.listMonths()).length === 1
      if (isRestored) await setup.archive(RECENT)
    })
    await restoreMonth(setup.restoreTools, OLD).catch(() => undefined)
    await restoreMonth(setup.restoreTools, OLDEST)
    assert.deepEqual(await setup.readBooks(), books)
    assert.deepEqual([await setup.findFault(), await verifyAll()], [undefined, []])
  })

  /** Ends the connections at the first statement, then at the second one, and so on. Returns how many there are. */
  async function crashEverywhere(
    work: (one: pg.ClientBase, other: pg.ClientBase) => Promise<void>,
    check: () => Promise<void>,
  ): Promise<number> {
    for (let last = 0; ; last++) {
      const clients = [await connectOwner(setup.harness), await connectOwner(setup.harness)]
      let left = last
      const crashing = clients.map((client) => {
        const query = client.query.bind(client) as (...args: unknown[]) => unknown
        return Object.assign(Object.create(client) as pg.Client, {
          query: (...args: unknown[]) => {
            if (left-- > 0) return query(...args)
            return Promise.all(clients.map((each) => each.end())).then(() => {
              throw new Error('crashed')
            })
          },
        })
      })
      const [one, other] = crashing as [pg.Client, pg.Client]
      const result = await work(one, other).then(() => 'done', String)
      await Promise.all(clients.map((each) => each.end()))
      if (result === 'done') return last
      assert.equal(result, 'Error: crashed')
      await check()
    }
  }

  it('causes no fault in a portion of the verifier that waits while a month is detached', async () => {
    const { harness, locker, tools } = setup
    const waiting: [VerifierPosition, string][] = [
      [FIRST_POSITION, 'lock table ledger.operations%'],
      [{ phase: 'keys', digest: LOWEST_DIGEST }, '%operation_keys%'],
    ]
    const portions: Promise<Portion>[] = []
    async function query(statement: pg.QueryConfig) {
      const [position, pattern] = waiting[portions.length] ?? []
      if (!statement.text.includes('detach partition') || !position) return locker.query(statement)
      await locker.query(statement.text.replace(/; commit$/, ''))
      portions.push(verifyPortion(harness.context, position))
      const waits = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like $1`
      while ((await harness.admin.query(waits, [pattern])).rowCount === 0);
      return locker.query('commit')
    }
    const held = Object.assign(Object.create(locker) as pg.Client, { query })
    await archiveMonths({ ...tools, locker: held }, RECENT)
    const faults = (await Promise.all(portions)).map(({ fault }) => fault)
    assert.deepEqual(faults, [undefined, undefined])
  })

  const REFUSALS: [string, () => Promise<unknown>, RegExp][] = [
    [
      'a month that the totals do not contain',
      async () => {
        const { admin } = setup.harness
        // The service must not add them up meanwhile.
        await blockTotals(admin)
        await admin.query(`update books.progress set totals_up_to = '${OLD}-15'`)
      },
      /The totals do not contain the operations of/,
    ],
    [
      'a wrong row, and names it',
      () =>
        setup.harness.admin.query(`update ledger.operations set amount = amount + 1 where seq = 2`),
      /^The month \S+ cannot be archived: wallet \d+, operation 2: the hash does not match the row/,
    ],
    [
      'a chain that continues in an earlier month',
      () =>
        setup.harness.admin.query(
          `update ledger.operations set created_at = '${RECENT}-20' where seq = 2`,
        ),
      /operation 2: the row is missing/,
    ],
    [
      'a folder with the files of another ledger',
      async () => writeFileSync(join(setup.folder, `operations-${OLDEST}.jsonl.gz`), 'other'),
      /already has other operations/,
    ],
  ]
  for (const [title, prepare, message] of REFUSALS) {
    it(`refuses ${title}, and changes nothing`, async () => {
      await prepare()
      await assert.rejects(setup.archive(RECENT), ({ message: text }: Error) => message.test(text))
      assert.deepEqual([await setup.listMonths(), await setup.readHeads()], [[], []])
    })
  }

  it('refuses a month that ended less than 7 days ago', async (test) => {
    const now = test.mock.method(Date, 'now', () => Date.parse(`${RECENT}-08T00:00:00Z`) - 1)
    await assert.rejects(setup.archive(RECENT), /has not ended at least 7 days ago/)
    now.mock.restore()
    const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1))
    await assert.rejects(
      setup.archive(next.toISOString().slice(0, 7)),
      /has not ended at least 7 days ago/,
    )
  })
})
