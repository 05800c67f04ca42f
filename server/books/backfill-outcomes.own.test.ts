import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { one } from '../database/statement.ts'
import { backfillOutcomes } from '../ledger/decision-queries.ts'
import type { LedgerRequest } from '../ledger/types.ts'
import { verify } from '../ledger/verify.ts'
import { makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { archiveMonths, forgetOutcomes } from '../test/ledger/key-setup.ts'
import { startBackfill } from './backfill-outcomes.ts'

let harness: Harness
let walletId: bigint
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
})
after(() => harness.end())

function requestOf(kind: LedgerRequest['kind'], amountMinor: bigint): LedgerRequest {
  const pair = { referenceType: 'TEST', referenceId: randomUUID(), description: null }
  return { kind, walletId, amountMinor, counterAccount: 1, ...pair }
}

async function readKeys() {
  const { rows } = await harness.admin.query<Record<string, unknown>>(
    'select * from ledger.operation_keys order by digest',
  )
  return rows
}

/** The state of a database whose keys are older than migration 0017. */
async function makeOld() {
  await forgetOutcomes(harness.admin)
  await harness.admin.query(`update ledger.outcome_backfill
    set after_digest = '00000000-0000-0000-0000-000000000000', next_at = now(), finished_at = null`)
}

/** Keys of refused requests have their outcome already: a portion with one of them fills fewer keys than it reads. */
async function removeRefusals() {
  await harness.admin.query('delete from ledger.operation_keys where refusal is not null')
}

async function readState() {
  const { rows } = await harness.admin.query<{ after_digest: string; finished_at: Date | null }>(
    'select after_digest, finished_at from ledger.outcome_backfill',
  )
  return rows[0] ?? assert.fail()
}

async function untilFinished() {
  for (let tries = 0; tries < 1_000; tries++) {
    if ((await readState()).finished_at !== null) return
    await sleep(20)
  }
  assert.fail('the backfill does not end')
}

/** Runs the backfill in several processes until it ends. */
async function backfill(keys: number, processes = 1) {
  const running = Array.from({ length: processes }, () => startBackfill(harness.context, keys))
  await untilFinished()
  await Promise.all(running.map((each) => each.stop()))
}

async function assertVerified() {
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  assert.equal((await verify(client, {})).fault, undefined)
  await client.end()
}

describe('the backfill of outcomes', () => {
  beforeEach(async () => {
    ;({ walletId } = await makeUser(harness.context, 1_000n))
    const { ledger } = harness.context
    await Promise.all(
      (['debit', 'topup', 'seizure', 'topup', 'correction_out'] as const).map((kind, index) =>
        ledger.post(requestOf(kind, BigInt(700 * (index + 1)))),
      ),
    )
  })

  it('has nothing to do in a new database', async () => {
    const { rows } = await harness.admin.query(
      'select finished_at is not null as done from ledger.outcome_backfill',
    )
    assert.deepEqual(rows, [{ done: true }])
  })

  it('gives every key the outcome that the ledger would have written, and counts them', async () => {
    const keys = await readKeys()
    await makeOld()
    assert.notDeepEqual(await readKeys(), keys)
    await backfill(3)
    assert.deepEqual(await readKeys(), keys)
    await assertVerified()
    const metrics = await harness.context.metrics.registry.metrics()
    const posted = keys.filter(({ refusal }) => refusal === null).length
    assert.match(metrics, new RegExp(`coffer_ledger_outcomes_backfilled_total ${posted}\n`))
    assert.match(metrics, /coffer_ledger_outcome_backfill_ratio 1\n/)
  })

  it('works in several processes at the same time, beside debits and replays', async () => {
    const { ledger } = harness.context
    const old = Array.from({ length: 60 }, () => requestOf('topup', 5n))
    const outcomes = await Promise.all(old.map((each) => ledger.post(each)))
    const keys = await readKeys()
    await makeOld()
    const finished = backfill(5, 3)
    let debits = 0
    do {
      const replayed = await Promise.all(old.map((each) => ledger.post(each)))
      assert.deepEqual(
        replayed,
        outcomes.map((each) => ({ ...each, replayed: true })),
      )
      await Promise.all([1, 2, 3].map(() => ledger.post(requestOf('topup', 1n))))
      debits += 3
    } while ((await readState()).finished_at === null)
    await finished
    const now = await readKeys()
    assert.equal(now.length, keys.length + debits)
    const names = new Set(keys.map(({ digest }) => digest))
    assert.deepEqual(
      now.filter(({ digest }) => names.has(digest)),
      keys,
    )
    await assertVerified()
  })

  it('continues after a crash in the middle of a portion', async (test) => {
    await removeRefusals()
    const keys = await readKeys()
    await makeOld()
    const { context, admin } = harness
    assert.equal((await one(context.db, backfillOutcomes(2)))?.filled, 2)
    await admin.query('update ledger.outcome_backfill set next_at = now()')
    const state = await readState()
    const dying = new pg.Client(clientConfig(harness.databaseUrl))
    dying.on('error', () => undefined)
    await dying.connect()
    // Its lock would block every later test.
    test.after(() => dying.end().catch(() => undefined))
    await dying.query('begin')
    assert.equal((await one(dying, backfillOutcomes(2)))?.filled, 2)
    const { rows } = await dying.query<{ pid: number }>('select pg_backend_pid() as pid')
    // While a portion is in progress, another process does not start one.
    const other = await one(context.db, backfillOutcomes(2))
    assert.deepEqual([other?.filled, other?.progress], [0, undefined])
    await admin.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    assert.deepEqual(await readState(), state)
    await backfill(2)
    assert.deepEqual(await readKeys(), keys)
  })

  it('rests four times as long as it worked, and reports how far it is', async () => {
    await removeRefusals()
    await makeOld()
    const first = (await one(harness.context.db, backfillOutcomes(2))) ?? assert.fail()
    assert.ok(first.waitMs > 0 && first.progress !== undefined && first.progress < 1)
    const { admin } = harness
    // The clock was set back: the next portion is not hours away.
    await admin.query(`update ledger.outcome_backfill set next_at = now() + interval '10 seconds'`)
    assert.equal((await one(harness.context.db, backfillOutcomes(2)))?.filled, 0)
    await admin.query(`update ledger.outcome_backfill set next_at = now() + interval '2 hours'`)
    assert.equal((await one(harness.context.db, backfillOutcomes(2)))?.filled, 2)
    await backfill(100)
  })

  it('reports keys that have neither an outcome nor an operation, and leaves them as they are', async () => {
    await makeOld()
    const restoreMonths = await archiveMonths(harness.admin)
    const old = await readKeys()
    await backfill(100)
    assert.deepEqual(await readKeys(), old)
    assert.ok(harness.logLines.some((line) => /"lost":\d+.*neither an outcome/.test(line)))
    await restoreMonths()
  })
})

/** What the previous version sends, in the order of a batch. */
const PREVIOUS_WRITE = `with posted as materialized (
    select * from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
      as x(digest, wallet_id, seq, amount, balance_after)
  ), keys as (
    insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, refusal, kind, amount)
    select digest, wallet_id, seq, $1::timestamptz, null, null, null from posted
    union all
    select digest, wallet_id, seq, $1::timestamptz, refusal::ledger.refusal, kind::ledger.kind, amount
    from unnest($7::uuid[], $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::bigint[])
      as x(digest, wallet_id, seq, refusal, kind, amount)
    order by digest
  )
    insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
      debt_change, reference_type, reference_id, hash)
    select wallet_id, seq, amount, balance_after, $1, 1, 'seizure', 4, 'OLD', digest::text, sha256('x') from posted`
const PREVIOUS_READ = `select k.digest, k.seq, k.refusal, coalesce(k.kind, o.kind) as kind,
    coalesce(k.amount, abs(o.amount - coalesce(o.debt_change, 0))) as amount, o.balance_after
  from ledger.operation_keys k
  left join ledger.operations o on k.refusal is null
    and o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
  where k.wallet_id = $1 order by k.seq, k.amount`

describe('the previous version beside this one', () => {
  it('writes keys that get their outcome in the same transaction, and reads those of this version', async () => {
    const { context, databaseUrl } = harness
    ;({ walletId } = await makeUser(context, 10n))
    await context.ledger.post(requestOf('debit', 3n))
    await context.ledger.post(requestOf('debit', 99n))
    const previous = new pg.Client(clientConfig(databaseUrl))
    await previous.connect()
    const digests = [randomUUID(), randomUUID()]
    const refused = [[randomUUID()], [walletId], [2n], ['INSUFFICIENT_BALANCE'], ['debit'], [50n]]
    await previous.query(PREVIOUS_WRITE, [
      new Date(),
      digests,
      [walletId, walletId],
      [3n, 4n],
      [-7n, 0n],
      [0n, 0n],
      ...refused,
    ])
    const { rows: keys } = await previous.query(
      `select seq, refusal, kind, amount, balance_after from ledger.operation_keys
       where wallet_id = $1 order by seq, amount`,
      [walletId],
    )
    const show = (row: Record<string, unknown>) => Object.values(row).join(' ')
    assert.deepEqual(keys.map(show), [
      '1  bonus 10 10',
      '2  debit 3 7',
      '2 INSUFFICIENT_BALANCE debit 50 ',
      '2 INSUFFICIENT_BALANCE debit 99 ',
      '3  seizure 11 0',
      '4  seizure 4 0',
    ])
    const { rows: found } = await previous.query<Record<string, unknown>>(PREVIOUS_READ, [walletId])
    assert.deepEqual(
      found.map(({ digest: _digest, ...rest }) => show(rest)),
      keys.map(show),
    )
    await previous.end()
  })

  it('cannot complete or change outcomes itself', async () => {
    const previous = new pg.Client(clientConfig(harness.databaseUrl))
    await previous.connect()
    for (const statement of [
      `select ledger.fill_outcomes('{}')`,
      'update ledger.operation_keys set balance_after = 1',
      'update ledger.outcome_backfill set finished_at = now()',
    ]) {
      await assert.rejects(previous.query(statement), /permission denied/, statement)
    }
    await previous.end()
  })
})
