/** A passkey that was created at /account logs in to the widget, on pages that may embed it. */
import * as accountApi from '@coffer/contract/account/account'
import * as endpoints from '@coffer/contract/widget/widget'
import { logInToAccountByPasskey } from '@coffer/contract/account/passkeys'
import { exchangeLinkCode } from '@coffer/contract/server/wallet'
import type { AuthStep } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask, makePerson, openPersonSetupWithMail, type TestPerson } from '../test/account-setup.ts'
import type { Authenticator, Oddities } from '../test/authenticator.ts'
import { createProof, makeClientApp, type TestApp } from '../test/factories.ts'
import {
  givePersonPasskey,
  requestFrameChallenge,
  requestPersonChallenge,
} from '../test/passkey-setup.ts'
import { assertRefusal, call } from '../test/setup.ts'
import { PASSWORD } from '../test/sign-in.ts'

const PARENT = 'https://tea.example'
const OTHER = 'https://flowers.example'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
let app: TestApp
let other: TestApp
let person: TestPerson
let key: Authenticator
before(async () => {
  setup = await openPersonSetupWithMail()
  const { context } = setup.harness
  app = await makeClientApp(context, { name: 'Tea House', allowedIframeParents: [PARENT] })
  other = await makeClientApp(context, { name: 'Flowers', allowedIframeParents: [OTHER] })
  person = await makePerson(setup.harness)
  key = await givePersonPasskey(setup, person)
})
after(() => setup.close())

const ELSEWHERE = { host: 'wallet.example' }

const send = (fields: { clientId: string; passkey: object; challenge?: string }, headers = {}) =>
  ask({ harness: setup.harness }, endpoints.logInToWidgetByPasskey, fields, headers)

async function logIn({ clientId }: TestApp, odd: Oddities = {}, device = key) {
  const options = await requestFrameChallenge(setup, clientId)
  return send({ clientId, passkey: device.sign(options, { topOrigin: PARENT, ...odd }) })
}

describe('POST /api/widget/auth/passkey', () => {
  const endpoint = endpoints.beginWidgetPasskeyLogIn

  it('400 PASSKEY_INVALID on a host that does not belong to the domain of the passkeys', async () => {
    const { clientId } = app
    const response = await ask({ harness: setup.harness }, endpoint, { clientId }, ELSEWHERE)
    assertRefusal(response, endpoint, 'PASSKEY_INVALID')
  })

  it('400 INVALID_REQUEST for an unknown app', async () => {
    const fields = { clientId: `app_${'a'.repeat(24)}` }
    const response = await ask({ harness: setup.harness }, endpoint, fields)
    assertRefusal(response, endpoint, 'INVALID_REQUEST', 'clientId')
  })
})

describe('POST /api/widget/auth/passkey/finish', () => {
  const endpoint = endpoints.logInToWidgetByPasskey

  it('200 asks for consent, then links, sets no cookie, and reports the connection by email', async () => {
    const { harness, mail } = setup
    const someone = await makePerson(harness)
    const phone = await givePersonPasskey(setup, someone)
    const response = await logIn(app, {}, phone)
    assert.equal(response.statusCode, 200, response.body)
    assert.equal(response.headers['set-cookie'], undefined)
    const step = response.json<AuthStep>()
    assert.deepEqual([step.step, step.firstName], ['consent', 'Ada'])
    const agreed = await ask({ harness }, endpoints.agree, { ticket: step.ticket })
    assert.equal(agreed.json<AuthStep>().step, 'linked')
    await mail.readSubject(someone.email, /^An app was connected/)
    assert.equal((await logIn(app, {}, phone)).json<AuthStep>().step, 'linked')
  })

  it('200 with a link code that belongs to the challenge of the app', async () => {
    const { harness } = setup
    const someone = await makePerson(harness)
    const phone = await givePersonPasskey(setup, someone)
    const first = (await logIn(app, {}, phone)).json<AuthStep>()
    await ask({ harness }, endpoints.agree, { ticket: first.ticket })
    const { verifier, challenge } = createProof()
    const options = await requestFrameChallenge(setup, app.clientId)
    const passkey = phone.sign(options, { topOrigin: PARENT })
    const response = await send({ clientId: app.clientId, passkey, challenge })
    const { linkCode } = response.json<AuthStep>()
    const shop = { ...setup, app }
    const foreign = { linkCode, verifier: createProof().verifier }
    assertRefusal(
      await call(shop, exchangeLinkCode, foreign),
      exchangeLinkCode,
      'LINK_CODE_INVALID',
    )
    assert.equal((await call(shop, exchangeLinkCode, { linkCode, verifier })).statusCode, 200)
  })

  it('400 PASSKEY_INVALID unless the page around the frame may embed the widget of this app', async () => {
    for (const topOrigin of [OTHER, 'https://evil.example', `${PARENT}:444`, null, undefined]) {
      assertRefusal(await logIn(app, { topOrigin }), endpoint, 'PASSKEY_INVALID')
    }
    // What was signed for one app is worth nothing for another one.
    assertRefusal(await logIn(other), endpoint, 'PASSKEY_INVALID')
    assert.equal((await logIn(app)).statusCode, 200)
  })

  it('400 PASSKEY_INVALID for another origin or domain, and without user verification', async () => {
    const odd: Oddities[] = [
      { origin: PARENT },
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { userHandle: undefined },
    ]
    for (const each of odd) assertRefusal(await logIn(app, each), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for a challenge of /account, and a challenge of the frame does not work there', async () => {
    const { harness } = setup
    const { clientId } = app
    const atAccount = key.sign(await requestPersonChallenge(setup), { topOrigin: PARENT })
    assertRefusal(await send({ clientId, passkey: atAccount }), endpoint, 'PASSKEY_INVALID')
    const passkey = key.sign(await requestFrameChallenge(setup, clientId))
    const response = await ask({ harness }, logInToAccountByPasskey, { passkey })
    assertRefusal(response, logInToAccountByPasskey, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for a copy of the passkey, and its owner is notified', async () => {
    const someone = await makePerson(setup.harness)
    const phone = await givePersonPasskey(setup, someone)
    assert.equal((await logIn(app, {}, phone)).statusCode, 200)
    const copy = { signCount: phone.signCount }
    assertRefusal(await logIn(app, copy, phone), endpoint, 'PASSKEY_INVALID')
    await setup.mail.readSubject(someone.email, /^A copy of your passkey was used$/)
  })

  it('200 gives nothing that survives a reset of the password at the same moment', async () => {
    const { harness, mail } = setup
    const someone = await makePerson(harness)
    const phone = await givePersonPasskey(setup, someone)
    await ask({ harness }, accountApi.forgotAccountPassword, { email: someone.email })
    const fields = { ticket: await mail.readTicket(someone.email), password: PASSWORD }
    const [response] = await Promise.all([
      logIn(app, {}, phone),
      ask({ harness }, accountApi.resetAccountPassword, fields),
    ])
    const ticket = response.statusCode === 200 ? response.json<AuthStep>().ticket : 'x'.repeat(32)
    const agreed = await ask({ harness }, endpoints.agree, { ticket })
    assertRefusal(agreed, endpoints.agree, 'LOGIN_REQUIRED')
    assertRefusal(await logIn(app, {}, phone), endpoint, 'PASSKEY_INVALID')
  })

  it('400 INVALID_REQUEST for an unknown app or an invalid passkey', async () => {
    const { clientId } = app
    const passkey = key.sign(await requestFrameChallenge(setup, clientId), { topOrigin: PARENT })
    for (const unknown of [`app_${'a'.repeat(24)}`, 'x']) {
      const response = await send({ clientId: unknown, passkey })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'clientId')
    }
    const response = await send({ clientId, passkey: { id: 'x' } })
    assert.deepEqual([response.statusCode, response.json().code], [400, 'INVALID_REQUEST'])
  })
})
