import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '../../../scripts/temporary-postgres.ts'
import { clientConfig } from '../../database/connect.ts'
import { migrate } from '../../database/migrate.ts'
import { ServiceError } from '../../service-error.ts'
import { connectAdmin } from '../../test/harness.ts'
import { readCheckpoint, writeCheckpoint } from '../verify/checkpoint.ts'
import { Ledger } from '../ledger.ts'
import { PROCESSOR_ACCOUNT, type LedgerRequest } from '../types.ts'

let postgres: TemporaryPostgres
let admin: pg.Client
let ledger: Ledger
let walletId: bigint
const standbys: ChildProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'coffer-standby-'))

before(async () => {
  postgres = await startTemporaryPostgres({ settings: { fsync: 'off' } })
  await migrate(postgres.url, () => undefined)
  admin = await connectAdmin(postgres.url)
  ledger = new Ledger({ databaseUrl: postgres.url, requiresStandby: true, deadlineMs: 2_500 })
  walletId = await ledger.openWallet()
})

afterEach(async () => {
  // A server also waits for its standbys when it shuts down.
  for (const standby of standbys) standby.kill('SIGKILL')
  await untilDetached()
})

after(async () => {
  await setNames('')
  await ledger.close()
  await admin.end()
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

function bonus(referenceId: string): LedgerRequest {
  return {
    walletId,
    counterAccount: PROCESSOR_ACCOUNT,
    kind: 'bonus',
    amountMinor: 100n,
    referenceType: 'TEST',
    referenceId,
    description: null,
  }
}

/** The result of a request, and after how many seconds it came. */
async function run(work: Promise<unknown>) {
  const startedMs = performance.now()
  const result = await work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )
  return { result, seconds: (performance.now() - startedMs) / 1000 }
}

/** Repeats a request that a lane happened to execute when its deadline passed: its outcome is unknown. */
async function runUntilKnown(work: () => Promise<unknown>) {
  let outcome = await run(work())
  for (let tries = 1; outcome.result === 'OUTCOME_UNKNOWN' && tries < 5; tries++)
    outcome = await run(work())
  return outcome
}

async function setNames(names: string) {
  await admin.query(`alter system set synchronous_standby_names = '${names}'`)
  await admin.query('select pg_reload_conf()')
  await sleep(200)
}

/** Receives the WAL like a standby, and confirms it after flushing it to disk. */
async function attachStandby(): Promise<ChildProcess> {
  const child = spawn(
    join(postgres.binFolder, 'pg_receivewal'),
    ['--synchronous', '--no-loop', '-D', folder, '-d', `${postgres.url}?application_name=second`],
    { stdio: 'ignore' },
  )
  standbys.push(child)
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await admin.query(
      `select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`,
    )
    if (rows.length > 0) return child
    await sleep(50)
  }
  throw new Error('the standby does not stream')
}

/** Until the server notices, it considers the standby attached, and commits wait for it. */
async function untilDetached() {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await admin.query('select from pg_stat_replication')
    if (rows.length === 0) return
    await sleep(50)
  }
  throw new Error('the server does not notice that the standby has disconnected')
}

/** Waits until a commit waits for the standby. */
async function untilBarrierWaits() {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await admin.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)
    if (rows.length > 0) return
    await sleep(50)
  }
  throw new Error('no commit waits for the standby')
}

async function countOperations(): Promise<number> {
  const { rows } = await admin.query('select count(*)::int as count from ledger.operations')
  return rows[0].count as number
}

describe('a ledger that requires a standby', () => {
  for (const [title, names] of [
    ['synchronous_standby_names is empty', ''],
    ['any standby may confirm', '*'],
    ['a list that ends with * may confirm', 'ANY 1 (second, *)'],
    ['the named standby is not attached', 'second'],
  ] as const) {
    it(`decides nothing and reports nothing while ${title}`, async () => {
      await setNames(names)
      const outcomes = await Promise.all([
        runUntilKnown(() => ledger.post(bonus('refused'))),
        run(ledger.findServiceDecision('TEST', 'refused')),
      ])
      for (const { result, seconds } of outcomes) {
        assert.equal(result, 'SERVICE_UNAVAILABLE')
        assert.ok(seconds < 5, `result after ${seconds} s`)
      }
      assert.equal(await countOperations(), 0)
    })
  }

  it('resumes when the standby attaches, stops when it is lost, and resumes again', async () => {
    await setNames('second')
    const patient = new Ledger({
      databaseUrl: postgres.url,
      requiresStandby: true,
      deadlineMs: 20_000,
    })
    const early = run(patient.post(bonus('first')))
    await sleep(1_000)
    let standby = await attachStandby()
    assert.equal((await early).result, 'done')
    await patient.close()
    assert.equal((await run(ledger.findServiceDecision('TEST', 'first'))).result, 'done')

    standby.kill('SIGKILL')
    await once(standby, 'exit')
    await untilDetached()
    const lost = await runUntilKnown(() => ledger.post(bonus('second')))
    assert.equal(lost.result, 'SERVICE_UNAVAILABLE')
    assert.ok(lost.seconds < 5, `result after ${lost.seconds} s`)
    const { rows } = await admin.query(
      `select count(*)::int as count from pg_stat_activity where application_name = 'coffer'`,
    )
    assert.ok(rows[0].count <= 15, `${rows[0].count} connections`)

    standby = await attachStandby()
    assert.equal((await runUntilKnown(() => ledger.post(bonus('second')))).result, 'done')
    assert.equal(await countOperations(), 2)
  })

  it('OUTCOME_UNKNOWN while an attached standby does not confirm, then the outcome, once', async () => {
    const posted = await countOperations()
    await setNames('second')
    const standby = await attachStandby()
    // A first commit is confirmed, so that the lane has a connection.
    assert.equal((await runUntilKnown(() => ledger.post(bonus('confirmed')))).result, 'done')
    standby.kill('SIGSTOP')
    assert.equal((await run(ledger.post(bonus('unconfirmed')))).result, 'OUTCOME_UNKNOWN')
    standby.kill('SIGCONT')
    assert.equal((await runUntilKnown(() => ledger.post(bonus('unconfirmed')))).result, 'done')
    assert.equal(await countOperations(), posted + 2)
  })

  it('signs a checkpoint only after the standby has all of its contents', async () => {
    await setNames('second')
    const file = join(folder, 'checkpoint')
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const client = new pg.Client(clientConfig(postgres.url))
    await client.connect()
    const writing = writeCheckpoint(client, file, privatePem, () => undefined)
    const first = await Promise.race([
      writing.then(() => 'signed'),
      untilBarrierWaits().then(() => 'waits'),
    ])
    assert.equal(first, 'waits')
    assert.doesNotMatch(readFileSync(file, 'utf8'), /signature/)
    await attachStandby()
    assert.deepEqual(await writing, { wallets: 1 })
    await client.end()
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string
    const heads = await Array.fromAsync(readCheckpoint(file, publicPem))
    assert.deepEqual(
      heads.map(({ id }) => id),
      [walletId],
    )
  })

  it('does not execute a request later after reporting that it was not executed', async () => {
    const posted = await countOperations()
    await setNames('second')
    // The first connection starts with a commit, which waits for the standby.
    const patient = new Ledger({ databaseUrl: postgres.url, deadlineMs: 1_000 })
    assert.equal((await run(patient.post(bonus('late')))).result, 'SERVICE_UNAVAILABLE')
    await setNames('')
    assert.equal((await run(patient.post(bonus('later')))).result, 'done')
    assert.equal(await countOperations(), posted + 1)
    await patient.close()
  })

  it('refuses requests if the commits of the server do not wait for the standby', async () => {
    const posted = await countOperations()
    await admin.query(`alter system set synchronous_commit = 'local'`)
    await setNames('second')
    await attachStandby()
    const outcome = await runUntilKnown(() => ledger.post(bonus('local')))
    assert.equal(outcome.result, 'SERVICE_UNAVAILABLE')
    assert.equal(await countOperations(), posted)
    await admin.query('alter system reset synchronous_commit')
  })
})
