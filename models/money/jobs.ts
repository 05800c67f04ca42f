/** The jobs of the service on which the readers depend: totals, changed balances and the numbers of events. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readNewOperations } from '../../server/books/read-new-operations.ts'
import { numberEvents } from '../../server/events/feed/number-events.ts'
import {
  NOTE_CHANGED_BALANCES,
  reportBalances as reportDueBalances,
} from '../../server/events/feed/report-balances.ts'
import { completeTotals } from '../../server/test/books-setup.ts'
import type { Harness } from '../../server/test/harness.ts'
import type { Run } from './run.ts'

/** A job that never gets there would run forever. */
const TRIES = 1_000

/** Another transaction, such as autovacuum's, can delay the totals. */
async function completeAllTotals(harness: Harness) {
  const { rows } = await harness.admin.query<{ now: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) as now`,
  )
  const nowMs = rows[0]?.now.getTime() ?? 0
  for (let tries = 0; (await completeTotals(harness)).getTime() <= nowMs; tries++) {
    assert(tries < TRIES, 'the totals are delayed forever')
    await sleep(tries < 5 ? 2 : 50)
  }
}

async function readAllOperations({ context, admin }: Harness) {
  for (let tries = 0; tries < TRIES; tries++) {
    await readNewOperations(context, [NOTE_CHANGED_BALANCES])
    const { rowCount } = await admin.query(
      'select from books.reader_position cross join books.progress where read_to >= totals_up_to',
    )
    if (rowCount) return
  }
  assert.fail('operations are not read')
}

/** All changes of balances until now are in the totals and reported. */
export async function reportBalances(run: Run) {
  const { harness } = run.setup
  run.note('report balances')
  await completeAllTotals(harness)
  await readAllOperations(harness)
  // Each waits for a random number of seconds.
  await harness.admin.query('update events.changed_balances set due_at = clock_timestamp()')
  await reportDueBalances(harness.context.backgroundDb)
  run.model.reportBalances(run.model.app(1))
}

export async function numberAllEvents({ setup: { harness } }: Run) {
  for (let tries = 0; tries < TRIES; tries++) {
    await numberEvents(harness.context)
    const { rowCount } = await harness.admin.query('select from events.outbox limit 1')
    if (rowCount === 0) return
  }
  assert.fail('an event stays in the outbox')
}
