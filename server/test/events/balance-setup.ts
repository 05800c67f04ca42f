/** Apps that get balance.changed, and time that passes for the jobs behind it. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { readNewOperations } from '../../books/read-new-operations.ts'
import { NOTE_CHANGED_BALANCES, reportBalances } from '../../events/feed/report-balances.ts'
import { link } from '../../identity/link.ts'
import type { NewClientApp } from '../../client-app/create-client-app.ts'
import { makeClientApp, makeLinkedUser } from '../factories.ts'
import type { Harness } from '../harness.ts'
import { blockJobs } from '../leases.ts'
import type { Setup } from '../setup.ts'

/** A new app that gets the events, with a linked user. */
export async function openBalanceWatcher(
  harness: Harness,
  app: Partial<NewClientApp> = {},
): Promise<Setup> {
  const watcher = await makeClientApp(harness.context, { getsBalanceEvents: true, ...app })
  return { harness, app: watcher, user: await makeLinkedUser(harness.context, watcher, 100_00n) }
}

/** Another app to which the same user is linked. */
export async function linkOther(shop: Setup, app: Partial<NewClientApp> = {}): Promise<Setup> {
  const { context } = shop.harness
  const other = await makeClientApp(context, app)
  const serviceUserId = await link(context.db, other.id, shop.user.id)
  return { harness: shop.harness, app: other, user: { ...shop.user, serviceUserId } }
}

/** As if the totals contained all operations up to now, without waiting for transactions in other databases. */
export async function moveMark(admin: pg.ClientBase): Promise<void> {
  await sleep(2)
  await blockJobs(admin, ['update-totals'])
  await admin.query(
    `update books.progress set totals_up_to = date_trunc('milliseconds', clock_timestamp())`,
  )
}

/** Reads all operations. The service runs the same job, so one of its rounds may be in progress. */
export async function noteBalances({ admin, context }: Harness): Promise<void> {
  await moveMark(admin)
  const isRead = `select from books.reader_position cross join books.progress where read_to >= totals_up_to
    or not exists (select from directory.client_apps where balance_events_since is not null)`
  for (let tries = 0; tries < 400; tries++) {
    await readNewOperations(context, [NOTE_CHANGED_BALANCES])
    if ((await admin.query(isRead)).rowCount) return
    await sleep(25)
  }
  assert.fail('the operations are not read')
}

/** Ends the delays and reports the balances that are due. */
export async function makeBalanceEventsDue({ admin, context }: Harness): Promise<void> {
  await admin.query('update events.changed_balances set due_at = clock_timestamp()')
  for (let tries = 0; tries < 400; tries++) {
    await reportBalances(context.backgroundDb)
    const { rowCount } = await admin.query(
      'select from events.changed_balances where due_at <= clock_timestamp()',
    )
    if (rowCount === 0) return
    await sleep(25)
  }
  assert.fail('a changed balance is not reported')
}

/** All changes until now are reported. */
export async function reportAll(harness: Harness): Promise<void> {
  await noteBalances(harness)
  await makeBalanceEventsDue(harness)
}
