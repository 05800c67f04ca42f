import { setDebitAlert } from '@coffer/contract/admin/client-app-alerts'
import { readClientApp } from '@coffer/contract/admin/client-apps'
import { pauseClientApp } from '@coffer/contract/admin/switches'
import { capture, hold } from '@coffer/contract/server/holds'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { recomputeTotals, blockTotals } from '../../test/books-setup.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../../test/factories.ts'
import { startMailServer, type MailServer } from '../../test/mail-server.ts'
import { assertRefusal, call } from '../../test/setup.ts'
import { inventEmail } from '../../test/sign-in.ts'
import { watchDebits } from './watch-debits.ts'

let mail: MailServer
let setup: AdminSetup
before(async () => {
  mail = await startMailServer()
  setup = await openAdminSetup(mail.env)
  await blockTotals(setup.harness.admin)
})
after(async () => {
  await setup.harness.end()
  await mail.stop()
})

const SUBJECT = /debits exceed the alert threshold/

async function setAlert({ clientId }: TestApp, above: string | null, pauses = false) {
  const fields = { clientId, above, pauses }
  const response = await askAs(setup, setup.operator, setDebitAlert, fields)
  assert.equal(response.statusCode, 200, response.body)
}

/** An app with a contact and a user who has 1000.00. */
async function makeShop() {
  const { context } = setup.harness
  const contact = inventEmail()
  const app = await makeClientApp(context, { contactEmails: [contact] })
  const user = await makeLinkedUser(context, app, 1000_00n)
  return { harness: setup.harness, app, user, contact }
}

type TestShop = Awaited<ReturnType<typeof makeShop>>

function spend(shop: TestShop, amount: string) {
  const { serviceUserId } = shop.user
  const reference = { referenceType: 'ORDER', referenceId: randomUUID() }
  return call(shop, debit, { serviceUserId, amount, ...reference })
}

async function watch() {
  await recomputeTotals(setup.harness.admin)
  await watchDebits(setup.harness.context)
}

const read = async ({ app: { clientId } }: TestShop) =>
  (await askAs(setup, setup.viewer, readClientApp, { clientId })).json()

const alertsOf = async ({ app }: TestShop) => {
  const entries = await auditOf(setup, app.clientId)
  return entries.filter(({ action }) => action === 'client_app.debit_alerted')
}

describe('debits above the alert threshold', () => {
  it('include holds, but not what is captured of them', async () => {
    const shop = await makeShop()
    await setAlert(shop.app, '100')
    const { serviceUserId } = shop.user
    const placed = { referenceType: 'HOLD', referenceId: randomUUID() }
    await call(shop, hold, { serviceUserId, amount: '60.00', ...placed })
    const pair = { referenceType: 'CAPTURE', referenceId: randomUUID() }
    await call(shop, capture, { hold: placed, ...pair })
    assert.equal((await spend(shop, '40.00')).statusCode, 200)
    await watch()
    assert.deepEqual(await alertsOf(shop), [])
    assert.equal((await spend(shop, '0.01')).statusCode, 200)
    await watch()
    assert.equal((await alertsOf(shop)).length, 1)
  })

  it('notify operators and contacts once per hour, are counted and logged, and stop nothing', async () => {
    const shop = await makeShop()
    const former = await makeOperator(setup.harness, 'operator')
    await setup.harness.admin.query(
      'update admin.operators set is_active = false where email = $1',
      [former.email],
    )
    await setAlert(shop.app, '100')
    assert.equal((await spend(shop, '100.00')).statusCode, 200)
    await watch()
    assert.deepEqual(await alertsOf(shop), [])
    assert.equal((await spend(shop, '0.01')).statusCode, 200)
    await watch()
    await watch()
    for (const email of [setup.owner.email, setup.operator.email, shop.contact]) {
      const { text } = await mail.readSubject(email, SUBJECT)
      assert.match(text ?? '', /amount to 100\.01 USD[^]*Nothing is paused/)
      assert.equal(mail.count(email, SUBJECT), 0)
    }
    for (const { email } of [setup.viewer, former]) assert.equal(mail.count(email, SUBJECT), 0)
    const [alert, ...others] = await alertsOf(shop)
    assert.deepEqual(others, [])
    const entry = alert?.after as { amount: string; isPaused: boolean }
    assert.deepEqual([entry.amount, entry.isPaused], ['100.01', false])
    const { registry } = setup.harness.context.metrics
    assert.match(await registry.metrics(), /^coffer_debit_alerts_total [1-9]/m)
    const logged = setup.harness.logLines.filter((line) => line.includes(shop.app.clientId))
    assert.equal(logged.filter((line) => line.includes('alert threshold')).length, 1)
    assert.equal((await spend(shop, '1')).statusCode, 200)
    assert.equal((await read(shop)).pause, null)
  })

  it('are noticed after the end of their hour', async () => {
    const shop = await makeShop()
    await setAlert(shop.app, '100')
    assert.equal((await spend(shop, '100.01')).statusCode, 200)
    await recomputeTotals(setup.harness.admin)
    await setup.harness.admin.query(
      `update books.hours set hour = hour - interval '1 hour' where account = $1`,
      [shop.app.ledgerAccount],
    )
    await watchDebits(setup.harness.context)
    assert.equal((await alertsOf(shop)).length, 1)
  })

  it('leave the reason as it is if an operator has paused the app before', async () => {
    const shop = await makeShop()
    await setAlert(shop.app, '50', true)
    assert.equal((await spend(shop, '50.01')).statusCode, 200)
    const { clientId } = shop.app
    const fields = { clientId, isPaused: true, reason: 'Stolen secret, ticket 4711' }
    assert.equal((await askAs(setup, setup.operator, pauseClientApp, fields)).statusCode, 200)
    await watch()
    const { by, reason } = (await read(shop)).pause
    assert.deepEqual([by, reason], [setup.operator.email, fields.reason])
    const [alert] = await alertsOf(shop)
    const entry = alert?.after as { isPaused: boolean } | undefined
    assert.equal(entry?.isPaused, true)
  })

  it('pause the app if the operator chose that, until an operator resumes it', async () => {
    const shop = await makeShop()
    await setAlert(shop.app, '50', true)
    assert.equal((await spend(shop, '50.01')).statusCode, 200)
    await watch()
    const { pause } = await read(shop)
    assert.equal(pause.by, 'service')
    assert.match(pause.reason, /50\.01 USD in one hour/)
    const { text } = await mail.readSubject(shop.contact, SUBJECT)
    assert.match(text ?? '', /are paused now/)
    await until(async () => (await spend(shop, '1')).statusCode === 503)
    const { clientId } = shop.app
    const resumed = { clientId, isPaused: false }
    const response = await askAs(setup, setup.operator, pauseClientApp, resumed)
    assert.equal(response.statusCode, 200, response.body)
    // The alert of this hour was handled: the app is not paused again at once.
    await watch()
    assert.equal((await read(shop)).pause, null)
  })

  it('are noticed by one of several processes', async () => {
    const shop = await makeShop()
    await setAlert(shop.app, '10')
    await spend(shop, '11')
    await recomputeTotals(setup.harness.admin)
    const { context } = setup.harness
    await Promise.all(Array.from({ length: 5 }, () => watchDebits(context)))
    assert.equal((await alertsOf(shop)).length, 1)
    await mail.readSubject(shop.contact, SUBJECT)
    assert.equal(mail.count(shop.contact, SUBJECT), 0)
  })

  it('are ignored without an amount, and for the amount of another app', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    await setAlert(other.app, '1')
    await spend(shop, '500')
    await watch()
    assert.deepEqual([await alertsOf(shop), await alertsOf(other)], [[], []])
  })

  async function until(isDone: () => Promise<boolean>) {
    while (!(await isDone()));
  }
})

describe('POST /api/admin/client-apps/debit-alert', () => {
  const endpoint = setDebitAlert
  const fieldsOf = () => ({ clientId: setup.app.clientId, above: '10', pauses: false })

  it('200 sets and removes the alert, notifies the contacts, and adds audit entries', async () => {
    const shop = await makeShop()
    assert.deepEqual((await read(shop)).debitAlert, { above: null, pauses: false })
    await setAlert(shop.app, '250.50', true)
    assert.deepEqual((await read(shop)).debitAlert, { above: 250.5, pauses: true })
    const { text } = await mail.read(shop.contact)
    assert.match(text ?? '', /Alert about debits: above 250\.50 in one hour, which also pauses/)
    await setAlert(shop.app, null)
    assert.deepEqual((await read(shop)).debitAlert, { above: null, pauses: false })
    const entries = await auditOf(setup, shop.app.clientId)
    assert.deepEqual(
      entries
        .filter(({ action }) => action === 'client_app.debit_alert')
        .map(({ after: set }) => set),
      [
        { above: '250.50', pauses: true },
        { above: null, pauses: false },
      ],
    )
  })

  it('400 INVALID_AMOUNT for zero and more decimals than the currency has', async () => {
    for (const above of ['0', '1.001', '-1', 'x']) {
      const response = await askAs(setup, setup.operator, endpoint, { ...fieldsOf(), above })
      assertRefusal(response, endpoint, 'INVALID_AMOUNT')
    }
  })

  it('404 NOT_FOUND for an unknown app', async () => {
    const fields = { ...fieldsOf(), clientId: 'app_000000000000000000000000' }
    assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
  })
})
