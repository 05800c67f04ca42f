import { LANGUAGES } from '@coffer/contract/languages'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseMails } from './choose-mails.ts'
import { mailsEn, type PersonMails } from './messages-en.ts'
import * as messages from './messages.ts'
import type { Mail } from './messages.ts'
import { renderHtml } from './render-html.ts'

const CODE = '736154'
const LINK = 'https://wallet.example/account#reset?ticket=dG9rZW4'
const ACCOUNT = 'https://wallet.example/account'
const SECRETS = new RegExp(`${CODE}|https?:|ticket|dG9rZW4`)
const APP = { name: 'Corner Shop', clientId: 'app_1' }

const CHECK = { name: 'doctor', at: '2026-01-31T12:00:00.000Z', summary: `${CODE} ${LINK}` }

/**
 * Every email to the contacts of a client app and to operators, with everything confidential that it can contain. A new
 * one needs a row.
 */
const APP_MAILS: Record<string, Mail> = {
  appChanged: messages.appChanged(APP, [CODE, LINK]),
  secretLink: messages.secretLink(APP, LINK),
  debitAlert: messages.debitAlert(APP, { amount: CODE, hour: LINK, isPaused: true }),
  webhookDisabled: messages.webhookDisabled({ ...APP, url: LINK, reason: 'gone' }),
  checkFailed: messages.checkFailed({ ...CHECK, advice: LINK, adminOrigin: LINK }),
  checkRecovered: messages.checkRecovered(CHECK),
}

const PAYMENT = { app: '«app»', amount: '«amount»', paidAt: '«time»', description: '«text»' }

type Row = (mails: PersonMails, link: string | undefined) => Mail

/** Every email to people. `link`: undefined if nobody verified the address. */
const PERSON_MAILS: Record<keyof PersonMails, Row> = {
  verificationCode: (mails) => mails.verificationCode(CODE),
  resetLink: (mails) => mails.resetLink(LINK),
  alreadyRegistered: (mails) => mails.alreadyRegistered(),
  passwordReset: (mails, link) => mails.passwordReset(ACCOUNT, link),
  passwordChanged: (mails, link) => mails.passwordChanged(link),
  passkeyAdded: (mails, link) => mails.passkeyAdded('«name»', link),
  passkeyRemoved: (mails, link) => mails.passkeyRemoved('«name»', link),
  passkeyCopied: (mails, link) => mails.passkeyCopied('«name»', link),
  appLinked: (mails, link) => mails.appLinked('«app»', link),
  appUnlinked: (mails, link) => mails.appUnlinked('«app»', link),
  allAppsUnlinked: (mails, link) => mails.allAppsUnlinked(link),
  newLogIn: (mails, link) => mails.newLogIn('«device»', link),
  topupReceipt: (mails) =>
    mails.topupReceipt({ amount: '«amount»', paidAt: '«time»', paymentId: '«payment»' }, ACCOUNT),
  largePayments: (mails) => mails.largePayments([PAYMENT], 3, ACCOUNT),
  lowBalance: (mails) =>
    mails.lowBalance({ balance: '«balance»', threshold: '«threshold»' }, ACCOUNT),
  automaticTopupSuspended: (mails) => mails.automaticTopupSuspended('authentication', ACCOUNT),
  spendLimitRaised: (mails, link) => mails.spendLimitRaised('«app»', ACCOUNT, link),
  automaticTopupOn: (mails, link) => mails.automaticTopupOn('«terms»', link),
  emailChanged: (mails, link) => mails.emailChanged(link),
  emailRestored: (mails) => mails.emailRestored(ACCOUNT),
}
/** Those that contain the link with which the owner undoes what happened. */
const WITH_LINK = Object.entries(PERSON_MAILS).filter(([, write]) =>
  write(mailsEn, LINK).text.includes(`\n${LINK}\n`),
)
const WARNINGS = WITH_LINK.filter(([name]) => name !== 'resetLink' && name !== 'emailChanged')

/** What a text shows beside its words: values, links and numbers. */
const listValues = (text: string) => text.match(/«\w+»|https?:[^\s<"]+[^\s<".]|\d+/g)?.toSorted()
const listSentences = (text: string) => text.split(/(?<=[.:?!])\s+|\n+/).filter(Boolean)
const isOnlyValue = (sentence: string) => /^(https?:\S+|\d+|«\w+»\.?)$/.test(sentence)
/** Frequent in the English emails, and no words of the other languages. */
const ENGLISH = /\b(the|your?|this|with|and|it|wallet|password|login|device)\b/i

describe('the emails to client apps', () => {
  it('all have a row', () => {
    assert.deepEqual(Object.keys(APP_MAILS).toSorted(), Object.keys(messages).toSorted())
  })

  for (const [name, { subject, text }] of Object.entries(APP_MAILS)) {
    it(`${name} has no code and no link in the subject, which locked screens show`, () => {
      assert.doesNotMatch(subject, SECRETS)
      assert.doesNotMatch(subject, /[\r\n]/)
      assert(subject.length > 0 && text.length > 0)
    })
  }

  it('contain their link in the text', () => {
    assert((APP_MAILS['secretLink']?.text ?? '').includes(`\n${LINK}\n`))
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
})

for (const language of LANGUAGES) {
  const mails = chooseMails(language)

  describe(`the emails to people in ${language}`, () => {
    for (const [name, write] of Object.entries(PERSON_MAILS)) {
      it(`${name} has no code and no link in the subject, which locked screens show`, () => {
        const { subject, lang } = write(mails, LINK)
        assert.doesNotMatch(subject, SECRETS)
        assert.doesNotMatch(subject, /[\r\n«]/)
        assert.equal(lang, language)
      })

      it(`${name} shows what it shows in English, as text and as HTML`, () => {
        for (const link of [LINK, undefined]) {
          const [english, own] = [write(mailsEn, link), write(mails, link)]
          assert.deepEqual(listValues(own.text), listValues(english.text))
          assert.doesNotMatch(own.text, /undefined|null|\[object|\$\{/)
          assert.match(own.text, /[^\n]\n$/)
          const [html, englishHtml] = [renderHtml(own), renderHtml(english)]
          const linksIn = (page: string) => page.match(/href="[^"]*"/g)
          assert.deepEqual(linksIn(html), linksIn(englishHtml))
          assert.equal(html.split('<p').length, englishHtml.split('<p').length)
        }
      })
    }

    it('contain their code or link on a line of its own', () => {
      assert.match(mails.verificationCode(CODE).text, new RegExp(`^${CODE}$`, 'm'))
      assert.equal(WITH_LINK.length, 13)
      for (const [name, write] of WITH_LINK) {
        assert(write(mails, LINK).text.includes(`\n${LINK}\n`), name)
      }
    })

    it('about an account have no link if nobody verified the address, and the same advice', () => {
      assert.equal(WARNINGS.length, 11)
      const advice = WARNINGS.map(([, write]) => {
        const paragraphs = write(mails, undefined).text.split('\n\n')
        assert.doesNotMatch(paragraphs.join(), /https?:.*ticket/)
        return paragraphs.at(-1)
      })
      assert.equal(new Set(advice).size, 1)
    })

    it('list payments, also without a description, and count the others only if there are any', () => {
      const { text } = mails.largePayments([PAYMENT, { ...PAYMENT, description: null }], 0, ACCOUNT)
      assert.equal(text.match(/«amount»/g)?.length, 2)
      assert.equal(text.match(/«text»/g)?.length, 1)
      assert.doesNotMatch(text, /null|: 0/)
    })

    it('name the device in words of the language', () => {
      const known = mails.newLogIn('Chrome on Windows', LINK).text
      assert.match(known, /Chrome \w+ Windows\./)
      const unknown = mails.newLogIn('Unknown device', LINK).text
      if (language === 'en') return
      assert.doesNotMatch(known, / on /)
      assert.doesNotMatch(unknown, /Unknown/)
    })

    if (language === 'en') return

    it('have no English text', () => {
      for (const [name, write] of Object.entries(PERSON_MAILS)) {
        for (const link of [LINK, undefined]) {
          const [english, own] = [write(mailsEn, link), write(mails, link)]
          const known = new Set([english.subject, ...listSentences(english.text)])
          for (const sentence of [own.subject, ...listSentences(own.text)]) {
            assert(isOnlyValue(sentence) || !known.has(sentence), `${name}: ${sentence}`)
            assert.doesNotMatch(sentence.replace(/https?:\S+|«\w+»/g, ''), ENGLISH, name)
          }
        }
      }
    })

    it('have a text for an app without a name', () => {
      assert.doesNotMatch(mails.appLinked(undefined, LINK).text, /An app|undefined/)
    })
  })
}

describe('the emails to a person whose language is not known', () => {
  it('are in English', () => {
    assert.equal(chooseMails(null), mailsEn)
  })
})
