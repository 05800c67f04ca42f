/** Every language has every message, with the right plurals. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { de as accountDe } from './account/messages-de.ts'
import { en as accountEn } from './account/messages-en.ts'
import { es as accountEs } from './account/messages-es.ts'
import { adaptMessages } from './account/topup/messages.ts'
import { choosePasskeyMessages } from './ui/passkeys/messages.ts'
import { chooseConfirmOwnerMessages } from './widget/confirm-owner-messages.ts'
import { de as widgetDe } from './widget/messages-de.ts'
import { en as widgetEn } from './widget/messages-en.ts'
import { es as widgetEs } from './widget/messages-es.ts'
import { signInEn } from './widget/sign-in/messages-en.ts'
import { topupDe } from './widget/topup/messages-de.ts'
import { topupEn } from './widget/topup/messages-en.ts'
import { topupEs } from './widget/topup/messages-es.ts'

Object.assign(widgetEn, signInEn)

const PAGES = {
  account: { en: accountEn, de: accountDe, es: accountEs },
  widget: { en: widgetEn, de: widgetDe, es: widgetEs },
  'top-up': { en: topupEn, de: topupDe, es: topupEs },
  'top-up at /account': {
    en: adaptMessages('en', topupEn),
    de: adaptMessages('de', topupDe),
    es: adaptMessages('es', topupEs),
  },
  'login with a passkey': {
    en: choosePasskeyMessages({ lang: 'en' }),
    de: choosePasskeyMessages({ lang: 'de' }),
    es: choosePasskeyMessages({ lang: 'es' }),
  },
  'first screen after a link': {
    en: chooseConfirmOwnerMessages('en'),
    de: chooseConfirmOwnerMessages('de'),
    es: chooseConfirmOwnerMessages('es'),
  },
}

/** Words that are the same in two languages. */
const SAME = new Set([
  'Passkeys',
  'App',
  'Apps',
  'Bonus',
  'Code',
  'Name',
  'ID',
  'Limits',
  '3-D Secure',
])

type Message = string | ((...values: never[]) => string)

/** By path. */
function listMessages(section: object, path = ''): Map<string, Message> {
  const list = new Map<string, Message>()
  for (const [name, value] of Object.entries(section) as [string, unknown][]) {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof value === 'string' || typeof value === 'function') list.set(at, value as Message)
    else
      for (const [deeper, message] of listMessages(value as object, at)) list.set(deeper, message)
  }
  return list
}

const VALUES = ['«first»', '«second»', '«third»']
const show = (message: Message, values: readonly unknown[] = VALUES) =>
  typeof message === 'string' ? message : message(...(values as never[]))

for (const [page, languages] of Object.entries(PAGES)) {
  const english = listMessages(languages.en)
  for (const lang of ['de', 'es'] as const) {
    describe(`the ${page} in ${lang}`, () => {
      const messages = listMessages(languages[lang])

      it('has the messages of the English page and no others', () => {
        assert.deepEqual([...messages.keys()].toSorted(), [...english.keys()].toSorted())
      })

      it('has no English and no empty message, and shows every value that the English one shows', () => {
        for (const [at, message] of english) {
          const own = messages.get(at)
          assert(own !== undefined)
          const [expected, shown] = [show(message), show(own)]
          assert.notEqual(shown.trim(), '', at)
          if (at !== 'lang' && !SAME.has(expected) && expected !== VALUES[0]) {
            assert.notEqual(shown, expected, at)
          }
          for (const value of VALUES) {
            assert.equal(shown.includes(value), expected.includes(value), `${at}: ${shown}`)
          }
        }
      })
    })
  }
}

describe('a number of things', () => {
  const cases: [string, (count: number) => string, RegExp, RegExp][] = [
    ['en', (count) => accountEn.overview.apps(count), /^1 app can /, /^2 apps can /],
    ['de', (count) => accountDe.overview.apps(count), /^1 App kann /, /^2 Apps können /],
    ['es', (count) => accountEs.overview.apps(count), /^1 app puede /, /^2 apps pueden /],
    [
      'en',
      (count) => accountEn.passwordMissing(count),
      /^1 more character\./,
      /^2 more characters/,
    ],
    [
      'es',
      (count) => accountEs.passwordMissing(count),
      /^Falta 1 carácter\./,
      /^Faltan 2 caracteres/,
    ],
    ['en', (count) => accountEn.history.found(count, false), /^1 transaction$/, /^2 transactions$/],
    ['es', (count) => accountEs.history.found(count, false), /^1 movimiento$/, /^2 movimientos$/],
    ['en', (count) => accountEn.rateLimited(count), / 1 second\./, / 2 seconds\./],
    ['de', (count) => accountDe.rateLimited(count), / 1 Sekunde /, / 2 Sekunden /],
    ['es', (count) => accountEs.rateLimited(count), / 1 segundo\./, / 2 segundos\./],
  ]
  for (const [lang, say, one, two] of cases) {
    it(`has its own form for one in ${lang}: ${say(2)}`, () => {
      assert.match(say(1), one)
      assert.match(say(2), two)
    })
  }
})
