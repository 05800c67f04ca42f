/** Which operations cause an email, and what it says. */
import { setAlerts } from '@coffer/contract/account/alerts'
import { readAccount } from '@coffer/contract/account/account'
import { setLanguage } from '@coffer/contract/account/safety'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask, makePerson, openPersonSetupWithMail } from '../../test/account-setup.ts'
import {
  choose,
  LARGE,
  LOW,
  openAlertWatcher,
  sendAll,
  type Watcher,
} from '../../test/alert-setup.ts'
import { moveMark } from '../../test/events/balance-setup.ts'
import { giveBonus } from '../../test/factories.ts'
import { captureHold, placeHold, releaseHold } from '../../test/ledger/hold-setup.ts'
import { pairOf, pay, refund } from '../../test/ledger/refund-setup.ts'
import { assertRefusal, call, type Fields } from '../../test/setup.ts'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail({ VERIFY_PERCENT: '0' })
})
after(() => setup.close())

const open = (alerts: Fields) => openAlertWatcher(setup, alerts)
const give = ({ user }: Watcher, amount: bigint) =>
  giveBonus(setup.harness.context.ledger, user.walletId, amount)

/** The number of emails that `act` causes. */
async function countMails({ person }: Watcher, subject: RegExp, act: () => Promise<unknown>) {
  await act()
  await sendAll(setup.harness)
  const count = setup.mail.count(person.email, subject)
  for (let index = 0; index < count; index++) await setup.mail.readSubject(person.email, subject)
  return count
}

async function setActive({ user }: Watcher, isActive: boolean) {
  await setup.harness.admin.query('update ledger.wallets set is_active = $2 where id = $1', [
    user.walletId,
    isActive,
  ])
}

async function readAlerts(watcher: Watcher) {
  return (await ask(watcher, readAccount)).json<{ alerts: Fields }>().alerts
}

describe('POST /api/account/alerts', () => {
  it('200 stores both amounts, and switches off what is absent', async () => {
    const watcher = await open({})
    assert.deepEqual(await readAlerts(watcher), { paymentMin: null, balanceMin: null })
    await choose(watcher, { paymentMin: '50.00', balanceMin: '7.5' })
    assert.deepEqual(await readAlerts(watcher), { paymentMin: 50, balanceMin: 7.5 })
    await choose(watcher, { balanceMin: '8' })
    assert.deepEqual(await readAlerts(watcher), { paymentMin: null, balanceMin: 8 })
  })

  it('400 INVALID_REQUEST for something that is no amount, and nothing changes', async () => {
    const watcher = await open({ paymentMin: '50' })
    for (const field of ['paymentMin', 'balanceMin']) {
      for (const value of ['0', '-1', '1.234', 'ten', '', '99999999999999']) {
        const response = await ask(watcher, setAlerts, { paymentMin: '60', [field]: value })
        assertRefusal(response, setAlerts, 'INVALID_REQUEST', field)
      }
    }
    assert.deepEqual(await readAlerts(watcher), { paymentMin: 50, balanceMin: null })
  })
})

describe('the email about a large payment', () => {
  it('is sent by the service itself', async () => {
    const watcher = await open({ paymentMin: '20' })
    await pay(watcher, 25)
    await moveMark(setup.harness.admin)
    await setup.mail.readSubject(watcher.person.email, LARGE)
  })

  it('is sent for exactly the amount and more, and not for less', async () => {
    const watcher = await open({ paymentMin: '20.00' })
    assert.equal(await countMails(watcher, LARGE, () => pay(watcher, 19.99)), 0)
    assert.equal(await countMails(watcher, LARGE, () => pay(watcher, 20)), 1)
    assert.equal(await countMails(watcher, LARGE, () => pay(watcher, 20.01)), 1)
  })

  it('names the app, amount, time and description', async () => {
    const watcher = await open({ paymentMin: '20' })
    const { serviceUserId } = watcher.user
    const fields = { serviceUserId, amount: 25, description: 'Two "teas" <b>' }
    await call(watcher, debit, { ...fields, ...pairOf('ORDER') })
    await sendAll(setup.harness)
    const { text = '', html } = await setup.mail.readSubject(watcher.person.email, LARGE)
    assert.match(text, /^25\.00 USD to Corner shop\nTime: \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m)
    assert.match(text, /^Description: Two "teas" <b>$/m)
    assert.match(text, /http:\/\/\S+\/account#history/)
    assert.doesNotMatch(text, /ticket|further/)
    assert.doesNotMatch(String(html), /<b>/)
  })

  it('is not sent again for a repeated debit', async () => {
    const watcher = await open({ paymentMin: '20' })
    const { serviceUserId } = watcher.user
    const fields = { serviceUserId, amount: 25, ...pairOf('ORDER') }
    assert.equal(await countMails(watcher, LARGE, () => call(watcher, debit, fields)), 1)
    assert.equal(await countMails(watcher, LARGE, () => call(watcher, debit, fields)), 0)
  })

  it('is not sent for money that arrives or is only reserved, but for a capture', async () => {
    const watcher = await open({ paymentMin: '20' })
    assert.equal(await countMails(watcher, LARGE, () => give(watcher, 30_00n)), 0)
    const paid = await pay(watcher, 25)
    assert.equal(await countMails(watcher, LARGE, async () => undefined), 1)
    assert.equal(await countMails(watcher, LARGE, () => refund(watcher, paid)), 0)
    const released = await placeHold(watcher, 30)
    assert.equal(await countMails(watcher, LARGE, () => releaseHold(watcher, released)), 0)
    const placed = await placeHold(watcher, 30)
    assert.equal(await countMails(watcher, LARGE, async () => undefined), 0)
    const part = { amount: 19.99, isFinal: false }
    assert.equal(await countMails(watcher, LARGE, () => captureHold(watcher, placed, part)), 0)
    const another = await placeHold(watcher, 30)
    assert.equal(await countMails(watcher, LARGE, () => captureHold(watcher, another)), 1)
    const most = await placeHold(watcher, 30)
    const exact = { amount: 20, isFinal: true }
    assert.equal(await countMails(watcher, LARGE, () => captureHold(watcher, most, exact)), 1)
  })

  it('is not sent for a refused debit of a frozen wallet, but for a capture from it', async () => {
    const watcher = await open({ paymentMin: '20' })
    const placed = await placeHold(watcher, 30)
    await setActive(watcher, false)
    const { serviceUserId } = watcher.user
    const fields = { serviceUserId, amount: 25, ...pairOf('ORDER') }
    const refused = () => call(watcher, debit, fields)
    assert.equal(await countMails(watcher, LARGE, refused), 0)
    assert.equal(await countMails(watcher, LARGE, () => captureHold(watcher, placed)), 1)
  })

  it('is not sent for payments from before it was switched on, or while it is off', async () => {
    const watcher = await open({})
    await pay(watcher, 25)
    await choose(watcher, { paymentMin: '20' })
    assert.equal(await countMails(watcher, LARGE, async () => undefined), 0)
    await choose(watcher, {})
    assert.equal(await countMails(watcher, LARGE, () => pay(watcher, 25)), 0)
    await choose(watcher, { paymentMin: '20' })
    assert.equal(await countMails(watcher, LARGE, async () => undefined), 0)
    assert.equal(await countMails(watcher, LARGE, () => pay(watcher, 25)), 1)
  })

  it('is not sent to others, and not to an address that nobody verified', async () => {
    const watcher = await open({ paymentMin: '20' })
    const other = await open({})
    assert.equal(await countMails(other, LARGE, () => pay(other, 25)), 0)
    await setup.harness.admin.query(
      'update directory.people set email_verified_at = null where service_user_id = $1',
      [watcher.person.id],
    )
    assert.equal(await countMails(watcher, LARGE, () => pay(watcher, 25)), 0)
  })

  for (const [language, subject, text] of [
    ['de', /^Große Zahlung/, /^25\.00 USD an Corner shop$/m],
    ['es', /^Pago grande/, /^25\.00 USD a Corner shop$/m],
  ] as const) {
    it(`is in the language of the person (${language})`, async () => {
      const watcher = await open({ paymentMin: '20' })
      await ask(watcher, setLanguage, { language })
      await pay(watcher, 25)
      await sendAll(setup.harness)
      const mail = await setup.mail.readSubject(watcher.person.email, subject)
      assert.match(mail.text ?? '', text)
    })
  }
})

describe('the email about a low balance', () => {
  it('is sent when the balance falls below the amount, and not at exactly the amount', async () => {
    const watcher = await open({ balanceMin: '40.00' })
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 60)), 0)
    await pay(watcher, 0.01)
    await sendAll(setup.harness)
    const { text = '' } = await setup.mail.readSubject(watcher.person.email, LOW)
    assert.match(text, /fallen below 40\.00 USD\. It is now 39\.99 USD\./)
  })

  it('is not sent again until the balance was at least the amount', async () => {
    const watcher = await open({ balanceMin: '40' })
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 61)), 1)
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 1)), 0)
    assert.equal(await countMails(watcher, LOW, () => give(watcher, 1_00n)), 0)
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 1)), 0)
    assert.equal(await countMails(watcher, LOW, () => give(watcher, 2_00n)), 0)
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 0.01)), 1)
  })

  it('is sent again if the balance rises and falls before anybody reads it', async () => {
    const watcher = await open({ balanceMin: '40' })
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 61)), 1)
    const risesAndFalls = async () => {
      await give(watcher, 1_00n)
      await pay(watcher, 1)
    }
    assert.equal(await countMails(watcher, LOW, risesAndFalls), 1)
  })

  it('is not sent if the balance has risen again in the meantime', async () => {
    const watcher = await open({ balanceMin: '40' })
    const fallsAndRises = async () => {
      await pay(watcher, 61)
      await give(watcher, 50_00n)
    }
    assert.equal(await countMails(watcher, LOW, fallsAndRises), 0)
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 60)), 1)
  })

  it('counts money that is reserved as gone', async () => {
    const watcher = await open({ balanceMin: '40' })
    const placed = await placeHold(watcher, 70)
    assert.equal(await countMails(watcher, LOW, async () => undefined), 1)
    assert.equal(await countMails(watcher, LOW, () => captureHold(watcher, placed)), 0)
  })

  it('is not sent for a balance that is low when the amount is set', async () => {
    const watcher = await open({})
    await pay(watcher, 61)
    await choose(watcher, { balanceMin: '40' })
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 1)), 0)
    await give(watcher, 50_00n)
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 60)), 1)
    // The same amount again, and another one that the balance is below.
    await choose(watcher, { balanceMin: '40' })
    await choose(watcher, { balanceMin: '50' })
    assert.equal(await countMails(watcher, LOW, () => pay(watcher, 1)), 0)
  })

  it('and the one about a large payment are independent', async () => {
    const watcher = await open({ balanceMin: '40', paymentMin: '50' })
    await pay(watcher, 61)
    await sendAll(setup.harness)
    await setup.mail.readSubject(watcher.person.email, LOW)
    await setup.mail.readSubject(watcher.person.email, LARGE)
  })

  it('is in the language of the person', async () => {
    const watcher = await open({ balanceMin: '40' })
    await ask(watcher, setLanguage, { language: 'de' })
    await pay(watcher, 61)
    await sendAll(setup.harness)
    await setup.mail.readSubject(watcher.person.email, /^Das Guthaben .* niedrig$/)
  })
})

describe('nobody wants an alert', () => {
  it('and no operation is read', async () => {
    const { admin } = setup.harness
    await admin.query('delete from directory.alerts')
    await makePerson(setup.harness, 1_00n)
    const readTo = async () => (await admin.query('select read_to from books.reader_position')).rows
    const start = await readTo()
    await sendAll(setup.harness)
    assert.deepEqual(await readTo(), start)
  })
})
