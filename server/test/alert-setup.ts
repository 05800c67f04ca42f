/** People who want emails about payments and their balance, and time that passes for the jobs behind them. */
import { setAlerts } from '@coffer/contract/account/alerts'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { NOTE_ALERTS } from '../account/alerts/note-alerts.ts'
import { sendAlerts } from '../account/alerts/send-alerts.ts'
import { readNewOperations } from '../books/read-new-operations.ts'
import { link } from '../identity/link.ts'
import type { Mailer } from '../mail/create-mailer.ts'
import { ask, makePerson, type TestPerson } from './account-setup.ts'
import { moveMark } from './events/balance-setup.ts'
import type { TestApp } from './factories.ts'
import type { Harness } from './harness.ts'
import type { Fields, Setup } from './setup.ts'

export const LARGE = /^Large payment from your wallet$/
export const LOW = /^The balance of your wallet is low$/

/** The person as the app and as the account page see them. */
export interface Watcher extends Setup {
  person: TestPerson
}

/** A person with 100.00 who is linked to the app. */
export async function openAlertWatcher(
  { harness, app }: { harness: Harness; app: TestApp },
  alerts: Fields,
): Promise<Watcher> {
  const person = await makePerson(harness, 100_00n)
  const serviceUserId = await link(harness.context.db, app.id, person.id)
  const watcher = { harness, app, person, user: { ...person, serviceUserId } }
  await choose(watcher, alerts)
  return watcher
}

export async function choose(watcher: Watcher, alerts: Fields): Promise<void> {
  const response = await ask(watcher, setAlerts, alerts)
  assert.equal(response.statusCode, 200, response.body)
}

/** Reads all operations. The service runs the same job, so one of its rounds may be in progress. */
export async function noteAlerts({ admin, context }: Harness): Promise<void> {
  await moveMark(admin)
  const isRead = `select from books.reader_position cross join books.progress where read_to >= totals_up_to
    or not exists (select from directory.alerts)`
  for (let tries = 0; tries < 400; tries++) {
    await readNewOperations(context, [NOTE_ALERTS])
    if ((await admin.query(isRead)).rowCount) return
    await sleep(25)
  }
  assert.fail('the operations are not read')
}

/** As if the interval between two emails had passed. */
export async function makeAlertEmailsDue({ admin }: Harness): Promise<void> {
  await admin.query('update directory.alerts set next_email_at = clock_timestamp()')
}

export function toolsOf({ context }: Harness, mailer?: Mailer) {
  const found = mailer ?? context.mailer
  assert(found)
  return { ...context, mailer: found }
}

/**
 * Everything until now is noted and sent, however much time must pass for it. The service also sends emails: if the
 * interval ended after the service claimed one, it would be sent twice.
 */
export async function sendAll(harness: Harness, mailer?: Mailer): Promise<void> {
  await makeAlertEmailsDue(harness)
  await noteAlerts(harness)
  for (let tries = 0; tries < 200; tries++) {
    await sendAlerts(toolsOf(harness, mailer))
    const { rowCount } = await harness.admin.query('select from directory.alert_emails')
    if (rowCount === 0) return
    await sleep(25)
  }
  assert.fail('an alert is not sent')
}

export async function countNotes({ harness, person }: Watcher): Promise<number> {
  const { rowCount } = await harness.admin.query(
    'select from directory.alert_emails where service_user_id = $1',
    [person.id],
  )
  return rowCount ?? 0
}
