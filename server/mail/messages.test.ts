import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as accountMessages from '../account/messages.ts'
import * as messages from './messages.ts'
import type { Mail } from './messages.ts'

const CODE = '736154'
const LINK = 'https://wallet.example/account#reset?ticket=dG9rZW4'
const SECRETS = new RegExp(`${CODE}|https?:|ticket|dG9rZW4`)
const APP = { name: 'Corner Shop', clientId: 'app_1' }

/** Every message, with everything confidential that it can contain. A new message needs a row. */
const MAILS: Record<string, Mail> = {
  verificationCode: messages.verificationCode(CODE),
  resetLink: messages.resetLink(LINK),
  alreadyRegistered: messages.alreadyRegistered(),
  appChanged: messages.appChanged(APP, [CODE, LINK]),
  secretLink: messages.secretLink(APP, LINK),
  debitAlert: messages.debitAlert(APP, { amount: CODE, hour: LINK, isPaused: true }),
  webhookDisabled: messages.webhookDisabled({ ...APP, url: LINK, reason: 'gone' }),
  passwordReset: messages.passwordReset('https://wallet.example/account', LINK),
  appLinked: messages.appLinked('Corner Shop', LINK),
  appUnlinked: messages.appUnlinked('Corner Shop', LINK),
  newLogIn: messages.newLogIn('Firefox', LINK),
  topupReceipt: messages.topupReceipt({ amount: CODE, paidAt: CODE, paymentId: CODE }, LINK),
  automaticTopupPaused: messages.automaticTopupPaused('authentication', LINK),
  automaticTopupOn: messages.automaticTopupOn(CODE, LINK),
  passwordChanged: messages.passwordChanged(LINK),
  passkeyAdded: messages.passkeyAdded('Phone', LINK),
  passkeyRemoved: messages.passkeyRemoved('Phone', LINK),
  passkeyCopied: messages.passkeyCopied('Phone', LINK),
  emailChanged: accountMessages.emailChanged(LINK),
  emailRestored: accountMessages.emailRestored(LINK),
}

describe('the emails', () => {
  it('all have a row', () => {
    const names = Object.keys({ ...messages, ...accountMessages })
    assert.deepEqual(Object.keys(MAILS).toSorted(), names.toSorted())
  })

  for (const [name, { subject, text }] of Object.entries(MAILS)) {
    it(`${name} has no code and no link in the subject, which locked screens show`, () => {
      assert.doesNotMatch(subject, SECRETS)
      assert.doesNotMatch(subject, /[\r\n]/)
      assert(subject.length > 0 && text.length > 0)
    })
  }

  it('contain their code or link in the text', () => {
    assert.match(MAILS['verificationCode']?.text ?? '', new RegExp(`^${CODE}$`, 'm'))
    const warnings = [
      'automaticTopupOn',
      'newLogIn',
      'appLinked',
      'appUnlinked',
      'passwordReset',
      'passwordChanged',
    ]
    const passkeys = ['passkeyAdded', 'passkeyRemoved', 'passkeyCopied']
    for (const name of ['resetLink', 'secretLink', 'emailChanged', ...warnings, ...passkeys]) {
      assert((MAILS[name]?.text ?? '').includes(`\n${LINK}\n`), name)
    }
  })

  it('about a disabled webhook and many debits say why, and what happens now', () => {
    const webhook = { ...APP, url: LINK }
    const gone = messages.webhookDisabled({ ...webhook, reason: 'gone' }).text
    const failing = messages.webhookDisabled({ ...webhook, reason: 'failing' }).text
    assert.match(gone, /responded with the status 410/)
    assert.match(failing, /Every delivery has failed for five days/)
    const alert = { amount: '1.00 USD', hour: '2026-01-31T12:00:00.000Z' }
    assert.match(messages.debitAlert(APP, { ...alert, isPaused: true }).text, /are paused now/)
    assert.match(messages.debitAlert(APP, { ...alert, isPaused: false }).text, /Nothing is paused/)
  })

  it('about an account have no link if nobody verified the address', () => {
    const written = [
      messages.newLogIn('Firefox', undefined),
      messages.appLinked('Corner Shop', undefined),
      messages.appUnlinked(undefined, undefined),
      messages.passwordChanged(undefined),
      messages.automaticTopupOn('Ten euros.', undefined),
      messages.passkeyAdded('Phone', undefined),
      messages.passkeyRemoved('Phone', undefined),
      messages.passkeyCopied('Phone', undefined),
    ]
    for (const { text } of written) {
      assert.doesNotMatch(text, /https?:|undefined/)
      assert.match(text, /reset your password now/)
    }
  })
})
