/** The language of a person: stored at sign-up, changed at /account, used for emails. */
import * as endpoints from '@coffer/contract/account/account'
import { setLanguage as endpoint } from '@coffer/contract/account/safety'
import { signUpAtAccount, verifySignUp } from '@coffer/contract/account/sign-up'
import { agree, logIn, signUp, verifyEmail } from '@coffer/contract/widget/widget'
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask, logInAs, makePerson, openPersonSetupWithMail } from '../test/account-setup.ts'
import * as refusals from '../test/refusals.ts'
import type { Fields } from '../test/setup.ts'
import { inventEmail, newAccount, newcomer, PASSWORD } from '../test/sign-in.ts'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail({ SIGN_UPS_PER_HOUR: '100000' })
})
after(() => setup.close())

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }
const SPANISH = { 'accept-language': 'es' }
const FRENCH = { 'accept-language': 'fr' }

/** Calls from a browser with these headers, without a login. */
async function send(to: Endpoint, fields: Fields, headers: Record<string, string>) {
  const response = await ask({ harness: setup.harness }, to, fields, headers)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ ticket: string }>()
}

async function storedLanguage(email: string): Promise<string | null | undefined> {
  const { rows } = await setup.harness.admin.query<{ language: string | null }>(
    'select language from directory.people where email = $1',
    [email],
  )
  return rows[0]?.language
}

/** The code of the next email, whose subject is in one of the languages. */
async function readCode(email: string, subject: string): Promise<string> {
  const mail = await setup.mail.read(email)
  assert.equal(mail.subject, subject)
  return /^\d{6}$/m.exec(mail.text ?? '')?.[0] ?? assert.fail(mail.text)
}

async function newPerson() {
  const person = await makePerson(setup.harness)
  await setup.mail.read(person.email)
  return { harness: setup.harness, person }
}

describe('POST /api/account/language', () => {
  it('200 stores a language, or none', async () => {
    const own = await newPerson()
    const read = async () => (await ask(own, endpoints.readAccount, {}, GERMAN)).json().language
    assert.equal(await read(), null)
    for (const language of ['de', 'es', 'en', null]) {
      assert.equal((await ask(own, endpoint, { language })).statusCode, 200)
      assert.equal(await read(), language)
    }
    assert.equal((await ask(setup, endpoints.readAccount)).json().language, null)
  })

  it('400 INVALID_REQUEST for another language', () =>
    refusals.refusesValues(setup, endpoint, () => ({ language: 'de' }), {
      language: [undefined, '', 'fr', 'DE', 'de-DE', 7, ['de']],
    }))
})

describe('a new account', () => {
  it('at /account keeps the language of the browser, and its code is in it', async () => {
    const fields = newAccount()
    const { ticket } = await send(signUpAtAccount, fields, GERMAN)
    const code = await readCode(fields.email, 'Bestätigen Sie Ihre E-Mail-Adresse')
    await send(verifySignUp, { ticket, code }, GERMAN)
    assert.equal(await storedLanguage(fields.email), 'de')
  })

  it('in the widget keeps the language of the browser, too', async () => {
    const fields = newcomer(setup)
    const { ticket } = await send(signUp, fields, SPANISH)
    const code = await readCode(fields.email, 'Confirma tu correo')
    await send(verifyEmail, { ticket, code }, SPANISH)
    assert.equal(await storedLanguage(fields.email), 'es')
  })

  it('keeps none if the browser has none of ours', async () => {
    const fields = newAccount()
    const { ticket } = await send(signUpAtAccount, fields, FRENCH)
    const code = await readCode(fields.email, 'Confirm your email address')
    await send(verifySignUp, { ticket, code }, FRENCH)
    assert.equal(await storedLanguage(fields.email), null)
  })
})

describe('an email to a person', () => {
  const subjectOf = async (email: string) => (await setup.mail.read(email)).subject

  /** What causes an email, and its subjects in German and Spanish. */
  const CAUSES: [string, (email: string) => Promise<unknown>, german: string, spanish: string][] = [
    [
      'who forgot the password',
      (email) => send(endpoints.forgotAccountPassword, { email }, SPANISH),
      'Neues Passwort für Ihre Geldbörse',
      'Crea una contraseña nueva para tu monedero',
    ],
    [
      'who signs up again',
      (email) => send(signUpAtAccount, { ...newAccount(), email }, SPANISH),
      'Sie haben bereits ein Konto',
      'Ya tienes una cuenta',
    ],
    [
      'who logs in with a new browser',
      (email) => logInAs(setup.harness, email, PASSWORD, SPANISH),
      'Neue Anmeldung bei Ihrem Konto',
      'Nuevo inicio de sesión en tu cuenta',
    ],
    [
      'who connects an app',
      async (email) => {
        const fields = { clientId: setup.app.clientId, email, password: PASSWORD }
        const { ticket } = await send(logIn, fields, SPANISH)
        await send(agree, { ticket }, SPANISH)
      },
      'Eine App wurde mit Ihrer Geldbörse verbunden',
      'Se ha conectado una app a tu monedero',
    ],
  ]
  for (const [title, cause, german, spanish] of CAUSES) {
    it(`${title} is in the chosen language, or else in that of the browser`, async () => {
      const own = await newPerson()
      await cause(own.person.email)
      assert.equal(await subjectOf(own.person.email), spanish)
      const other = await newPerson()
      await ask(other, endpoint, { language: 'de' })
      await cause(other.person.email)
      assert.equal(await subjectOf(other.person.email), german)
    })
  }

  it('who is logged in is in the chosen language, or else in that of the browser', async () => {
    const own = await newPerson()
    const { email } = own.person
    const change = (headers: Record<string, string>, password: string, newPassword: string) =>
      ask(own, endpoints.changePassword, { password, newPassword }, headers)
    const other = 'another sound passphrase'
    await change(SPANISH, PASSWORD, other)
    assert.equal(await subjectOf(email), 'Se ha cambiado la contraseña de tu monedero')
    await ask(own, endpoint, { language: 'de' })
    await change(SPANISH, other, PASSWORD)
    assert.equal(await subjectOf(email), 'Das Passwort Ihrer Geldbörse wurde geändert')
    const moved = inventEmail()
    await ask(own, endpoints.changeEmail, { email: moved, password: PASSWORD }, SPANISH)
    assert.equal(await subjectOf(moved), 'Bestätigen Sie Ihre E-Mail-Adresse')
  })
})
