import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import {
  startThrowAwayPostgres,
  type ThrowAwayPostgres,
} from '../../scripts/throw-away-postgres.ts'
import { migrate } from '../database/migrate.ts'
import { ServiceError } from '../service-error.ts'
import { connectAdmin } from '../test/harness.ts'
import { Ledger } from './ledger.ts'
import { PROCESSOR_ACCOUNT, type LedgerRequest } from './types.ts'

let postgres: ThrowAwayPostgres
let admin: pg.Client
let ledger: Ledger
let walletId: bigint
const folder = mkdtempSync(join(tmpdir(), 'coffer-standby-'))

before(async () => {
  postgres = await startThrowAwayPostgres({ settings: { fsync: 'off' } })
  await migrate(postgres.url, () => undefined)
  admin = await connectAdmin(postgres.url)
  ledger = new Ledger({ databaseUrl: postgres.url, requiresStandby: true, deadlineMs: 2_500 })
  walletId = await ledger.openWallet()
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

/** What becomes of it, and after how many seconds. */
async function ask(work: Promise<unknown>) {
  const startedMs = performance.now()
  const told = await work.then(
    () => 'told',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )
  return { told, seconds: (performance.now() - startedMs) / 1000 }
}

/** Repeats what a lane was trying at the moment of its deadline: its outcome was unknown by chance. */
async function askUntilKnown(work: () => Promise<unknown>) {
  let asked = await ask(work())
  for (let tries = 1; asked.told === 'OUTCOME_UNKNOWN' && tries < 5; tries++)
    asked = await ask(work())
  return asked
}

async function setNames(names: string) {
  await admin.query(`alter system set synchronous_standby_names = '${names}'`)
  await admin.query('select pg_reload_conf()')
  await sleep(200)
}

/** Takes the log as a standby does, and says when it has it on its disk. */
async function attachStandby(): Promise<ChildProcess> {
  const child = spawn(
    join(postgres.binFolder, 'pg_receivewal'),
    ['--synchronous', '--no-loop', '-D', folder, '-d', `${postgres.url}?application_name=second`],
    { stdio: 'ignore' },
  )
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await admin.query(
      `select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`,
    )
    if (rows.length > 0) return child
    await sleep(50)
  }
  throw new Error('the standby does not stream')
}

async function countOperations(): Promise<number> {
  const { rows } = await admin.query('select count(*)::int as count from ledger.operations')
  return rows[0].count as number
}

describe('a ledger that requires a standby', () => {
  for (const [title, names] of [
    ['none is named', ''],
    ['anybody would do', '*'],
    ['anybody of several would do', 'ANY 1 (second, *)'],
    ['the one that is named is not attached', 'second'],
  ] as const) {
    it(`decides nothing and reports nothing while ${title}`, async () => {
      await setNames(names)
      const asked = await Promise.all([
        askUntilKnown(() => ledger.post(bonus('refused'))),
        ask(ledger.findServiceDecision('TEST', 'refused')),
      ])
      for (const { told, seconds } of asked) {
        assert.equal(told, 'SERVICE_UNAVAILABLE')
        assert.ok(seconds < 5, `told after ${seconds} s`)
      }
      assert.equal(await countOperations(), 0)
    })
  }

  it('goes on by itself when the standby comes, stops when it is lost, and goes on again', async () => {
    await setNames('second')
    const early = ask(ledger.post(bonus('first')))
    await sleep(1_000)
    let standby = await attachStandby()
    assert.equal((await early).told, 'told')
    assert.equal((await ask(ledger.findServiceDecision('TEST', 'first'))).told, 'told')

    standby.kill('SIGKILL')
    await once(standby, 'exit')
    const lost = await ask(ledger.post(bonus('second')))
    assert.match(lost.told, /^(SERVICE_UNAVAILABLE|OUTCOME_UNKNOWN)$/)
    assert.ok(lost.seconds < 5, `told after ${lost.seconds} s`)
    const { rows } = await admin.query(
      `select count(*)::int as count from pg_stat_activity where application_name = 'coffer'`,
    )
    assert.ok(rows[0].count <= 15, `${rows[0].count} connections`)

    standby = await attachStandby()
    assert.equal((await ask(ledger.post(bonus('second')))).told, 'told')
    assert.equal(await countOperations(), 2)
    standby.kill('SIGKILL')
  })

  it('does not do afterwards what it has answered as not done', async () => {
    const posted = await countOperations()
    await setNames('second')
    // Its first connection begins with a commit, which waits for the standby.
    const patient = new Ledger({ databaseUrl: postgres.url, deadlineMs: 1_000 })
    assert.equal((await ask(patient.post(bonus('late')))).told, 'SERVICE_UNAVAILABLE')
    await setNames('')
    assert.equal((await ask(patient.post(bonus('later')))).told, 'told')
    assert.equal(await countOperations(), posted + 1)
    await patient.close()
  })

  it('does not believe a server whose commits do not wait', async () => {
    const posted = await countOperations()
    await admin.query(`alter system set synchronous_commit = 'local'`)
    await setNames('second')
    const standby = await attachStandby()
    const asked = await askUntilKnown(() => ledger.post(bonus('local')))
    assert.equal(asked.told, 'SERVICE_UNAVAILABLE')
    assert.equal(await countOperations(), posted)
    await admin.query('alter system reset synchronous_commit')
    standby.kill('SIGKILL')
  })
})
