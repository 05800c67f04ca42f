/** The clock of the database is set back and ahead while two processes post and update the totals. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import { postgresOwner } from '../../scripts/temporary-postgres.ts'
import { migrate } from '../database/migrate.ts'
import {
  completeTotals,
  assertTotals,
  countOperations,
  blockTotals,
  post,
  updateTotalsOnce,
} from '../test/books-setup.ts'
import {
  startClockPostgres,
  whyNoClockPostgres,
  type ClockPostgres,
} from '../test/ledger/clock-postgres.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import {
  connectAdmin,
  spawnService,
  startOwnHarness,
  type Harness,
  type ServiceProcess,
} from '../test/harness.ts'
import { unblockJobs } from '../test/leases.ts'
import { readNewOperations, type ReaderJob } from './read-new-operations.ts'

const ENV = { VERIFY_PERCENT: '0' }
const START = new Date(0)

/** Counts how often each operation is read. */
const RECORDER: ReaderJob = {
  findStart: async () => START,
  async handle(tx, { from, before: end }) {
    await tx.query(
      `insert into public.seen select wallet_id, seq from ledger.operations
       where created_at >= $1 and created_at < $2`,
      [from, end],
    )
  },
}

describe('steps of the database clock', { skip: whyNoClockPostgres() }, () => {
  let postgres: ClockPostgres
  let harness: Harness
  /** Another process of the service. */
  let other: ServiceProcess
  let app: TestApp
  let user: Awaited<ReturnType<typeof makeLinkedUser>>

  before(async () => {
    postgres = await startClockPostgres()
    await migrate(postgres.url, () => undefined)
    harness = await startOwnHarness(ENV, { url: postgres.url, drop: () => postgres.stop() })
    await blockTotals(harness.admin)
    other = await spawnService(postgres.url, ENV)
    await harness.admin.query(`create table public.seen (wallet_id bigint, seq bigint);
      grant insert on public.seen to coffer_service`)
    app = await makeClientApp(harness.context)
    user = await makeLinkedUser(harness.context, app, 10_000_00n)
  })
  afterEach(async () => {
    postgres.setClock(0)
    await blockTotals(harness.admin)
  })
  after(async () => {
    await other.kill('SIGINT')
    await harness.end()
  })

  const pay = () => post(harness, 'debit', { walletId: user.walletId, account: app.ledgerAccount })

  async function payInOtherProcess() {
    const { clientId, clientSecret } = app
    const response = await fetch(`${other.url}/api/server/wallet/debit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        clientId,
        clientSecret,
        serviceUserId: user.serviceUserId,
        amount: '0.01',
        referenceType: 'ORDER',
        referenceId: randomUUID(),
      }),
    })
    assert.equal(response.status, 200, await response.text())
  }

  async function payInBoth() {
    for (let turn = 0; turn < 3; turn++) await Promise.all([pay(), payInOtherProcess()])
  }

  const read = (on = harness) => readNewOperations(on.context, [RECORDER])

  /** All operations are in the totals, and each was read once. */
  async function assertAllRead(on = harness) {
    await completeTotals(on)
    await read(on)
    const operations = await countOperations(on.admin)
    const { rows } = await on.admin.query(
      'select count(*)::int, count(distinct (wallet_id, seq))::int as different from public.seen',
    )
    assert.deepEqual(rows, [{ count: operations, different: operations }])
    await assertTotals(on.admin)
    const beyond = await on.admin.query(
      'select from ledger.operations, books.progress where created_at >= totals_up_to',
    )
    assert.equal(beyond.rowCount, 0)
  }

  it('back by a minute: later operations are read and in the totals within seconds', async () => {
    await payInBoth()
    await assertAllRead()
    postgres.setClock(-60)
    await payInBoth()
    await assertAllRead()
    await payInBoth()
    await assertAllRead()
  })

  it('ahead by 16 s, then corrected: later operations are read and in the totals within seconds', async () => {
    await payInBoth()
    postgres.setClock(16)
    await payInBoth()
    await assertAllRead()
    postgres.setClock(0)
    await payInBoth()
    await assertAllRead()
  })

  it('many steps while both processes post: each operation is read once', async () => {
    const over = new AbortController()
    const repeat = async (work: () => Promise<unknown>) => {
      while (!over.signal.aborted) await work()
    }
    const working = Promise.all([
      ...[pay, pay, payInOtherProcess, payInOtherProcess].map(repeat),
      repeat(async () => {
        await updateTotalsOnce(harness)
        await read()
      }),
    ])
    for (const seconds of [-1, 3, -2, 0, -60, 5, 4, -3600, 0, 2, 1, -0.5]) {
      postgres.setClock(seconds)
      await sleep(400)
    }
    over.abort()
    await working
    await assertAllRead()
  })

  it('a standby whose clock is a minute behind takes over', async () => {
    await payInBoth()
    await assertAllRead()
    const folder = mkdtempSync(join(tmpdir(), 'coffer-standby-'))
    const owner = postgresOwner()
    if (owner) chownSync(folder, owner.uid, owner.gid)
    const copy = ['-d', postgres.url, '-D', join(folder, 'data'), '-R', '-c', 'fast', '--no-sync']
    execFileSync(join(postgres.binFolder, 'pg_basebackup'), copy, { ...owner, cwd: folder })
    const standby = await startClockPostgres(folder)
    standby.setClock(-60)
    await payInBoth()
    await assertAllRead()
    await catchUp(standby)
    const next = await startOwnHarness(ENV, {
      url: standby.url,
      async drop() {
        await standby.stop()
        rmSync(folder, { recursive: true })
      },
    })
    const { walletId } = user
    for (let turn = 0; turn < 3; turn++)
      await post(next, 'debit', { walletId, account: app.ledgerAccount })
    await assertAllRead(next)
    await next.end()
  })

  /** The standby gets everything that the primary has, and becomes the primary. */
  async function catchUp(standby: ClockPostgres) {
    const { rows } = await harness.admin.query<{ lsn: string }>(
      'select pg_current_wal_lsn() as lsn',
    )
    const admin = await connectAdmin(standby.url)
    const isThere = 'select from pg_last_wal_replay_lsn() as lsn where lsn >= $1'
    while ((await admin.query(isThere, [rows[0]?.lsn])).rowCount === 0) await sleep(100)
    await admin.query('select pg_promote()')
    await admin.end()
  }

  it('back by a minute: the background continues, and the log reports the step', async () => {
    await unblockJobs(harness.admin, ['update-totals'])
    await sleep(6_000)
    postgres.setClock(-60)
    await payInBoth()
    const isAdded = `select from books.progress
      where totals_up_to > (select max(created_at) from ledger.operations)`
    for (let tries = 0; (await harness.admin.query(isAdded)).rowCount === 0; tries++) {
      assert(tries < 50, 'the totals have stopped')
      await sleep(500)
    }
    // The process that has the lease reports it.
    const lines = [...harness.logLines, ...other.output].join('\n')
    assert.match(
      lines,
      /"level":"error",.*"stepSeconds":-(59|60).*the clock of the database was set back/,
    )
  })
})
