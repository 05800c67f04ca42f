/** The email for a top-up: one per payment, unless the person has switched it off. */
import { readAccount } from '@coffer/contract/account/account'
import { setLanguage, setReceipts as endpoint } from '@coffer/contract/account/safety'
import { confirmOwnTopup } from '@coffer/contract/account/topup'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, makePerson } from '../test/account-setup.ts'
import { startMailServer, type MailServer } from '../test/mail-server.ts'
import { beginOwn, openTopupSetup, type TopupSetup } from '../test/topup-setup.ts'
import { deliver, eventOf } from '../test/webhooks.ts'

const RECEIPT = /^Receipt: money was added to your wallet$/

describe('the receipt of a top-up', () => {
  let setup: TopupSetup
  let mail: MailServer
  before(async () => {
    mail = await startMailServer()
    setup = await openTopupSetup({
      ...mail.env,
      LOG_INS_PER_MINUTE: '10000',
      PASSWORD_HASHES_PER_SECOND: '1000',
    })
  })
  after(async () => {
    await setup.close()
    await mail.stop()
  })

  async function newPayer() {
    return { harness: setup.harness, person: await makePerson(setup.harness) }
  }

  it('is sent once, however often the payment is reported', async () => {
    const payer = await newPayer()
    const { paymentIntentId } = await beginOwn(payer, 25)
    setup.sandbox.complete(paymentIntentId)
    const event = eventOf(setup, 'payment_intent.succeeded', paymentIntentId)
    await Promise.all([
      ask(payer, confirmOwnTopup, { paymentIntentId }),
      ask(payer, confirmOwnTopup, { paymentIntentId }),
      deliver(setup, event),
    ])
    await ask(payer, confirmOwnTopup, { paymentIntentId })
    const { text = '' } = await mail.readSubject(payer.person.email, RECEIPT)
    assert.match(text, /^25\.00 USD was added to your wallet by card\.$/m)
    assert(text.includes(`Payment: ${paymentIntentId}`), text)
    assert.doesNotMatch(text, /ticket|secret/)
    await sleep(300)
    assert.equal(mail.count(payer.person.email, RECEIPT), 0)
  })

  it('is in the language of the person', async () => {
    const payer = await newPayer()
    await ask(payer, setLanguage, { language: 'de' })
    const { paymentIntentId } = await beginOwn(payer, 25)
    setup.sandbox.complete(paymentIntentId)
    await ask(payer, confirmOwnTopup, { paymentIntentId })
    const { text = '' } = await mail.readSubject(payer.person.email, /^Quittung: Geld/)
    assert.match(text, /^25\.00 USD wurden per Karte auf Ihre Geldbörse geladen\.$/m)
  })

  it('is not sent to somebody who has switched it off, or whose address nobody verified', async () => {
    const off = await newPayer()
    const unverified = await newPayer()
    assert.equal((await ask(off, endpoint, { wantsReceipts: false })).statusCode, 200)
    const account = (await ask(off, readAccount)).json<{ wantsReceipts: boolean }>()
    assert.equal(account.wantsReceipts, false)
    await setup.harness.admin.query(
      'update directory.people set email_verified_at = null where service_user_id = $1',
      [unverified.person.id],
    )
    for (const payer of [off, unverified]) {
      const { paymentIntentId } = await beginOwn(payer, 25)
      setup.sandbox.complete(paymentIntentId)
      assert.equal((await ask(payer, confirmOwnTopup, { paymentIntentId })).statusCode, 200)
    }
    await sleep(300)
    for (const { person } of [off, unverified]) assert.equal(mail.count(person.email, RECEIPT), 0)
    await ask(off, endpoint, { wantsReceipts: true })
    const { paymentIntentId } = await beginOwn(off, 25)
    setup.sandbox.complete(paymentIntentId)
    await ask(off, confirmOwnTopup, { paymentIntentId })
    await mail.readSubject(off.person.email, RECEIPT)
  })
})
