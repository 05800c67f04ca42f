/**
 * A commit in doubt, then a replay, then a failover. The commit of a debit waits for its standby. The wait is canceled,
 * so the debit becomes visible although only one server has it. The caller repeats the request. That server is killed, and the
 * standby, which does not have the debit, takes over. No caller may have got a confirmation of the lost debit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { checkSetup } from './check/check-setup.ts'
import type { Findings } from './check/findings.ts'
import { createCaller, type Caller } from './clients/send-request.ts'
import { Dice } from './clients/dice.ts'
import { resolvePairs } from './clients/resolve-unknowns.ts'
import { lookUp, move, type Move } from './clients/call-service.ts'
import { withSetup, type Setup } from './setup/prepare-setup.ts'
import type { Pair } from './setup/start-pair.ts'
import { withAdmin } from './setup/with-admin.ts'

export interface DoubtReport {
  database: string
  times: number
  /** How often a caller got a confirmation before the standby had the debit. */
  confirmedEarly: number
  isSafe: boolean
  findings: Findings
}

/** How long to wait for responses while none may be sent. */
const SILENCE_MS = 500
const WAIT_MS = 10_000
const RESOLVE_SECONDS = 60

export async function runInDoubt(
  plan: { seed: number; times: number },
  print: (line: string) => void,
): Promise<DoubtReport> {
  const { seed, times } = plan
  return withSetup({ processes: 2, database: 'pair', journalFile: undefined }, async (setup) => {
    const { pair, services } = setup
    if (pair === undefined) throw new Error('this test needs a primary and a standby')
    const callers = services.map(({ url }) => createCaller(url))
    const lost: string[] = []
    for (let time = 1; time <= times; time++) {
      const startedMs = performance.now()
      const wasConfirmed = await tryOnce({ setup, pair, callers }, new Dice(seed, `doubt ${time}`))
      if (wasConfirmed)
        lost.push(`debit ${time} was confirmed, and the new primary did not have it`)
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      print(
        `  ${time}: ${wasConfirmed ? 'CONFIRMED TOO EARLY' : 'no early confirmation'}, ${seconds} s`,
      )
    }
    await resolvePairs(setup, RESOLVE_SECONDS)
    for (const caller of callers) caller.close()
    const { findings } = (await checkSetup(setup)).check
    for (const each of lost) findings.add(1, each)
    const { name: database } = setup.database
    return { database, times, confirmedEarly: lost.length, isSafe: findings.isSound, findings }
  })
}

export function describeDoubt({
  database,
  times,
  confirmedEarly,
  isSafe,
  findings,
}: DoubtReport): string {
  const found = findings
    .list()
    .map(
      ({ invariant, count, examples }) => `invariant ${invariant}, ${count} times: ${examples[0]}`,
    )
  const verdict = isSafe ? 'passed' : 'FAILED'
  const safe = times - confirmedEarly
  return [
    `A commit in doubt, a replay, a failover, on ${database}: ${verdict}, ${safe} of ${times} times safe.`,
    ...found,
  ].join('\n')
}

interface Doubt {
  setup: Setup
  pair: Pair
  /** One for each service process: the replay goes to the other process. */
  callers: Caller[]
}

async function tryOnce({ setup, pair, callers }: Doubt, dice: Dice): Promise<boolean> {
  const { journal, wallets, proxy } = setup
  const [one, other] = dice.shuffle(callers.map((caller) => ({ ...setup, caller })))
  if (one === undefined || other === undefined) throw new Error('this test needs two processes')
  const wallet = dice.between(0, wallets.length - 1)
  // Without this, a process that has to connect first would wait there and not at its commit.
  for (const each of [one, other]) await repeatUntilKnown(each, drawDebit(setup, wallet))
  const debit = drawDebit(setup, wallet)
  pair.stopReplication()
  const first = move(one, debit)
  await makeVisible(pair.url, setup, debit.pair, dice)
  const repeats = [move(other, debit), move(one, debit), lookUp(other, debit.pair, false)]
  await sleep(SILENCE_MS)
  const wasConfirmed = journal.firstRespondedMs(debit.pair) < Infinity
  await pair.failOver()
  proxy.cutAll()
  await assertAbsent(pair.url, setup, debit.pair)
  await pair.joinStandby()
  // Another debit may come first now, so the repeated debit gets a different position.
  await repeatUntilKnown(other, drawDebit(setup, wallet))
  await repeatUntilKnown(one, debit)
  await Promise.all([first, ...repeats])
  return wasConfirmed
}

async function repeatUntilKnown(setup: Setup, debit: Move) {
  while ((await move(setup, debit)) === 'unknown') await sleep(100)
}

function drawDebit({ journal }: Setup, wallet: number): Move {
  return { app: 0, verb: 'debit', wallet, amountMinor: 1, pair: journal.openPair(0) }
}

/** Cancels the wait of the commit, as an operator might. If the commit does not wait, the debit is visible already. */
async function makeVisible(url: string, setup: Setup, pair: number, dice: Dice) {
  const end = dice.pick(['pg_cancel_backend', 'pg_terminate_backend'])
  await withAdmin(url, async (admin) => {
    const untilMs = performance.now() + WAIT_MS
    while (!(await isVisible(admin, setup, pair))) {
      if (performance.now() > untilMs) throw new Error('the debit never reached its commit')
      await admin.query(
        `select ${end}(pid) from pg_stat_activity
         where wait_event = 'SyncRep' and application_name = 'coffer'`,
      )
      await sleep(20)
    }
  })
}

/** The new primary has no standby yet, so nothing can have been written there. */
async function assertAbsent(url: string, setup: Setup, pair: number) {
  const isThere = await withAdmin(url, (admin) => isVisible(admin, setup, pair))
  if (isThere) throw new Error('the standby had the debit, so nothing was in doubt')
}

async function isVisible(admin: pg.Client, { apps, journal }: Setup, pair: number) {
  const { app, referenceId } = journal.pair(pair)
  const { rowCount } = await admin.query(
    `select from ledger.operations
     where counter_account = $1 and reference_type = 'ORDER' and reference_id = $2`,
    [apps[app]?.account, referenceId],
  )
  return rowCount === 1
}
