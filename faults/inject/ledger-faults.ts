/** The faults. Each lasts from its start until its cause is removed. The service must recover by itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isRetryable } from '../../server/database/connect.ts'
import type { Dice } from '../clients/dice.ts'
import type { SupervisedService } from '../setup/supervise-service.ts'
import type { Failpoint } from '../setup/failpoints.ts'
import { FLOODING_APP, LIMITED_APP } from '../setup/create-accounts.ts'
import { ADDRESSES, canMoveHostNames } from '../setup/host-name.ts'
import { setFailing } from '../setup/failing-operations.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import { move } from '../clients/call-service.ts'

export type Inject = (setup: Setup, dice: Dice) => Promise<void>

const CLOCK_SHIFT_MS = 10 * 60_000
const WAIT_MS = 5_000
const WAIT_READY_MS = 60_000
/** Longer than the recovery may take. */
const MUTED_MS = 20_000
const FLOOD_CALLERS = 400
const FLOOD_MS = 3_000

/** Faults of processes, connections and the database: these stop writes. */
export const LEDGER_FAULTS: Record<string, Inject> = {
  'service killed': async (setup, dice) => pickService(setup, dice).kill('SIGKILL'),
  'service killed before COMMIT': killAt('before-commit'),
  'service killed between COMMIT and response': killAt('after-commit'),
  'all services killed': async ({ services }) => {
    for (const service of services) service.kill('SIGKILL')
  },
  'service restarted gracefully': (setup, dice) => pickService(setup, dice).restart(0),
  'services restarted one after the other': async ({ services }) => {
    for (const service of services) {
      await service.restart(0)
      await service.ready(WAIT_READY_MS)
    }
  },
  'service clock 10 minutes ahead': runWithClock(CLOCK_SHIFT_MS),
  'service clock 10 minutes behind': runWithClock(-CLOCK_SHIFT_MS),
  'connection cut before COMMIT': cutCommits('before'),
  'connection cut after COMMIT': cutCommits('after'),
  'all database connections cut': async ({ proxy }) => proxy.cutAll(),
  'database unresponsive for 2 s': async ({ proxy }) => {
    proxy.stall(true)
    await sleep(2_000)
    proxy.stall(false)
  },
  'connections muted': muteFor(MUTED_MS),
  ...(canMoveHostNames && { 'host name moves to another address': moveHostName }),
  'database restarted': ({ database }) => database.restart('fast'),
  'database crashed': ({ database }) => database.restart('crash'),
  'wallets locked by another session': (setup, dice) => {
    const held = dice.shuffle(setup.wallets).slice(0, 3)
    return hold(setup, 'select id from ledger.wallets where id = any($1) for update', held)
  },
  'running balance locked by another session': (setup) => {
    const account = BigInt(setup.apps[LIMITED_APP]?.account ?? 0)
    return hold(setup, 'select id from ledger.accounts where id = any($1) for update', [account])
  },
  'tables locked as by a migration': lockTables,
  'operations that always fail': failOperations,
  'one client app floods': flood,
  'wallet frozen': freeze,
}

function pickService({ services }: Setup, dice: Dice): SupervisedService {
  return dice.pick(services)
}

function killAt(failpoint: Failpoint): Inject {
  return async (setup, dice) => {
    const isKilled = await pickService(setup, dice).killAt(failpoint, WAIT_MS)
    if (!isKilled) throw new Error(`the process never reached ${failpoint}`)
  }
}

function runWithClock(shiftMs: number): Inject {
  return async (setup, dice) => {
    const service = pickService(setup, dice)
    await service.restart(shiftMs)
    await service.ready(WAIT_READY_MS)
    await sleep(dice.between(2_000, 4_000))
    await service.restart(0)
  }
}

/** Several in a row, because each affects one batch. */
function cutCommits(when: 'before' | 'after'): Inject {
  return async ({ proxy }, dice) => {
    for (let cuts = dice.between(2, 5); cuts > 0; cuts--) {
      const waited = proxy.cutNextCommit(when).then(() => true)
      if (!(await Promise.race([waited, sleep(WAIT_MS)]))) throw new Error('nothing was committed')
    }
  }
}

/** The packets of existing connections are lost; new connections work. */
export function muteFor(ms: number): Inject {
  return async ({ proxy }) => {
    proxy.mute()
    await sleep(ms)
    proxy.cutMuted()
  }
}

/** The old address no longer responds, also not to new connections; a moment later the name has another one. */
async function moveHostName({ proxy, hostName }: Setup) {
  const next = ADDRESSES.find((address) => address !== hostName.address) ?? ADDRESSES[0]
  proxy.lose(hostName.address)
  await sleep(1_000)
  hostName.moveTo(next)
  await sleep(MUTED_MS)
  proxy.lose(undefined)
  proxy.cutMuted()
}

async function hold({ database }: Setup, statement: string, ids: bigint[]) {
  await withAdmin(database.url, async (foreign) => {
    await foreign.query('begin')
    await foreign.query(statement, [ids])
    await sleep(3_000)
    await foreign.query('rollback')
  })
}

/**
 * Like DDL: nobody else can read or write, and the locking session gives up soon if it has to wait. The order is
 * random, so deadlocks can occur; the caller must then get a response that says to retry.
 */
/** A migration that meets a deadlock or waits too long for a lock rolls back and tries again. */
async function lockTables({ database }: Setup, dice: Dice) {
  const tables = dice.shuffle(['ledger.wallets', 'ledger.operation_keys', 'ledger.operations'])
  await withAdmin(database.url, async (migration) => {
    await migration.query(`set lock_timeout = '2s'`)
    for (let attempt = 1; !(await holdTables(migration, tables)); attempt += 1)
      if (attempt === 5) throw new Error('the tables could not be locked')
  })
}

async function holdTables(migration: pg.Client, tables: string[]) {
  try {
    await migration.query('begin')
    for (const table of tables) {
      await migration.query(`lock table ${table} in access exclusive mode`)
      await sleep(300)
    }
    await sleep(500)
    await migration.query('commit')
    return true
  } catch (error) {
    if (!isRetryable(error)) throw error
    await migration.query('rollback')
    return false
  }
}

async function failOperations(setup: Setup, dice: Dice) {
  const { journal, database } = setup
  const set = (fails: boolean) => withAdmin(database.url, (admin) => admin.query(setFailing(fails)))
  await set(true)
  const sent = Array.from({ length: 10 }, async () => {
    await sleep(dice.between(0, 1_500))
    const pair = journal.openPair(0, 'FAILING')
    const wallet = dice.between(0, setup.wallets.length - 1)
    return move(setup, { app: 0, verb: 'credit', wallet, amountMinor: 1, pair })
  })
  const meanings = await Promise.all(sent)
  await set(false)
  if (!meanings.includes('failed')) throw new Error('no operation failed')
}

/** One app alone, without pauses and without respecting Retry-After. */
async function flood(setup: Setup, dice: Dice) {
  const untilMs = performance.now() + FLOOD_MS
  const callers = Array.from({ length: FLOOD_CALLERS }, async () => {
    while (performance.now() < untilMs) {
      const pair = setup.journal.openPair(FLOODING_APP)
      const wallet = dice.between(0, setup.wallets.length - 1)
      await move(setup, { app: FLOODING_APP, verb: 'debit', wallet, amountMinor: 1, pair })
    }
  })
  await Promise.all(callers)
}

async function freeze({ database, wallets, freezes }: Setup, dice: Dice) {
  const wallet = dice.between(0, 3)
  const set = (isActive: boolean) =>
    withAdmin(database.url, (admin) =>
      admin.query('update ledger.wallets set is_active = $2 where id = $1', [
        wallets[wallet],
        isActive,
      ]),
    )
  const fromMs = performance.now()
  await set(false)
  const surelyFromMs = performance.now()
  await sleep(2_500)
  const surelyToMs = performance.now()
  await set(true)
  freezes.push({ wallet, fromMs, surelyFromMs, surelyToMs, toMs: performance.now() })
}
