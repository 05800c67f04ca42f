/** The emails when processes stop or work at the same time, and when the mail server refuses. */
import { deleteAccount } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readNewOperations } from '../../books/read-new-operations.ts'
import { createPool } from '../../database/connect.ts'
import { many } from '../../database/statement.ts'
import { createMailer, type Mailer } from '../../mail/create-mailer.ts'
import { ask, openPersonSetup, type PersonSetup } from '../../test/account-setup.ts'
import {
  choose,
  countNotes,
  LARGE,
  LOW,
  noteAlerts,
  openAlertWatcher,
  makeAlertEmailsDue,
  sendAll,
  toolsOf,
  type Watcher,
} from '../../test/alert-setup.ts'
import { moveMark } from '../../test/events/balance-setup.ts'
import { startMailServer, type MailServer } from '../../test/mail-server.ts'
import { pay } from '../../test/ledger/refund-setup.ts'
import type { Fields } from '../../test/setup.ts'
import { PASSWORD } from '../../test/sign-in.ts'
import { NOTE_ALERTS } from './note-alerts.ts'
import { claimAlerts } from './queries.ts'
import { pruneAlertEmails, sendAlerts } from './send-alerts.ts'

/** Without a mail server, the service itself neither notes nor sends. */
let setup: PersonSetup
let mail: MailServer
let mailer: Mailer
before(async () => {
  setup = await openPersonSetup({ VERIFY_PERCENT: '0' })
  mail = await startMailServer()
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = mail.env
  mailer = (await createMailer({ smtpUrl, from }, setup.harness.context.log)) ?? assert.fail()
})
after(async () => {
  await mailer.close()
  await mail.stop()
  await setup.harness.end()
})

const openPools = () =>
  [1, 2, 3].map(() => createPool(setup.harness.databaseUrl, { size: 2, barrier: false }))
const count = ({ person }: Watcher, subject = LARGE) => mail.count(person.email, subject)

/** A person with one payment that is noted. */
async function openNoted(alerts: Fields = { paymentMin: '20' }): Promise<Watcher> {
  const { harness } = setup
  const watcher = await openAlertWatcher(setup, alerts)
  await pay(watcher, 70)
  await noteAlerts(harness)
  assert.equal(await countNotes(watcher), Object.keys(alerts).length)
  return watcher
}

describe('the email about a payment', () => {
  it('is neither lost nor sent twice by processes that work at the same time', async () => {
    const { harness } = setup
    const watchers: Watcher[] = []
    for (let index = 0; index < 10; index++) {
      watchers.push(await openAlertWatcher(setup, { paymentMin: '20', balanceMin: '50' }))
    }
    await Promise.all(watchers.map((watcher) => pay(watcher, 70)))
    await moveMark(harness.admin)
    const pools = openPools()
    const { metrics } = harness.context
    await Promise.all(
      pools.map((db) => readNewOperations({ backgroundDb: db, metrics }, [NOTE_ALERTS])),
    )
    await noteAlerts(harness)
    await makeAlertEmailsDue(harness)
    await Promise.all(
      pools.map((db) => sendAlerts({ ...toolsOf(harness, mailer), backgroundDb: db })),
    )
    await sendAll(harness, mailer)
    for (const watcher of watchers) {
      assert.deepEqual([count(watcher), count(watcher, LOW)], [1, 1])
    }
    for (const pool of pools) await pool.end()
  })

  it('is sent by another process after the one that noted it has stopped', async () => {
    const watcher = await openAlertWatcher(setup, { paymentMin: '20' })
    await pay(watcher, 70)
    await noteAlerts(setup.harness)
    assert.equal(count(watcher), 0)
    await sendAlerts(toolsOf(setup.harness, mailer))
    await sendAlerts(toolsOf(setup.harness, mailer))
    assert.equal(count(watcher), 1)
    assert.equal(await countNotes(watcher), 0)
  })

  it('is sent ten minutes after a process has taken it and stopped', async () => {
    const { harness } = setup
    const watcher = await openAlertWatcher(setup, { paymentMin: '20' })
    await pay(watcher, 70)
    await noteAlerts(harness)
    await many(harness.context.db, claimAlerts(1_000, 10))
    await sendAlerts(toolsOf(harness, mailer))
    assert.equal(count(watcher), 0)
    assert.equal(await countNotes(watcher), 1)
    await makeAlertEmailsDue(harness)
    await sendAlerts(toolsOf(harness, mailer))
    assert.equal(count(watcher), 1)
  })

  it('stays until the mail server accepts it, for a day', async () => {
    const { harness } = setup
    const watcher = await openNoted()
    const refusing = {
      send: () => undefined,
      deliver: async () => false,
      close: async () => undefined,
    }
    await makeAlertEmailsDue(harness)
    await sendAlerts(toolsOf(harness, refusing))
    await sendAlerts(toolsOf(harness, mailer))
    assert.equal(await countNotes(watcher), 1)
    await pruneAlertEmails({ db: harness.context.backgroundDb })
    await sendAll(harness, mailer)
    assert.equal(count(watcher), 1)

    const old = await openNoted()
    await harness.admin.query(
      `update directory.alert_emails set operation_at = operation_at - interval '25 hours' where service_user_id = $1`,
      [old.person.id],
    )
    await pruneAlertEmails({ db: harness.context.backgroundDb })
    assert.equal(await countNotes(old), 0)
  })

  it('is not sent after the person has switched it off', async () => {
    const { harness } = setup
    const watcher = await openNoted({ paymentMin: '20', balanceMin: '50' })
    await choose(watcher, {})
    assert.equal(await countNotes(watcher), 0)
    await sendAll(harness, mailer)
    assert.deepEqual([count(watcher), count(watcher, LOW)], [0, 0])
  })

  it('lists the largest of many payments, at most one email per ten minutes', async () => {
    const { harness } = setup
    const watcher = await openAlertWatcher(setup, { paymentMin: '1' })
    await pay(watcher, 2)
    await sendAll(harness, mailer)
    assert.equal(count(watcher), 1)
    await mail.readSubject(watcher.person.email, LARGE)
    for (let index = 0; index < 12; index++) await pay(watcher, 1 + index)
    await noteAlerts(harness)
    await sendAlerts(toolsOf(harness, mailer))
    assert.equal(count(watcher), 0)
    assert.equal(await countNotes(watcher), 12)
    await sendAll(harness, mailer)
    const { text = '' } = await mail.readSubject(watcher.person.email, LARGE)
    assert.equal(text.match(/USD to Corner shop/g)?.length, 10)
    assert.match(text, /^Number of further payments: 2$/m)
    assert(text.indexOf('12.00 USD') < text.indexOf('11.00 USD'))
    assert.equal(count(watcher), 0)
  })

  it('is forgotten with the person', async () => {
    const watcher = await openNoted({ paymentMin: '20', balanceMin: '50' })
    await pay(watcher, 30)
    const response = await ask(watcher, deleteAccount, { password: PASSWORD })
    assert.equal(response.statusCode, 200, response.body)
    const { rowCount } = await setup.harness.admin.query(
      `select service_user_id from directory.alerts where service_user_id = $1
       union all select service_user_id from directory.alert_emails where service_user_id = $1`,
      [watcher.person.id],
    )
    assert.equal(rowCount, 0)
    await sendAll(setup.harness, mailer)
    assert.equal(count(watcher), 0)
  })
})
