/** A copy of the database contains nothing that gives access to the service. */
import {
  logInToAccount,
  readAccount,
  resetAccountPassword,
  undoEmailChange,
} from '@coffer/contract/account/account'
import { secureAccount } from '@coffer/contract/account/safety'
import { exchangeLinkCode, readWallet } from '@coffer/contract/server/wallet'
import {
  agree,
  createSession,
  forgotPassword,
  logIn,
  readWidgetWallet,
  signUp,
  verifyEmail,
} from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  callPage,
  dumpDirectory,
  makePerson,
  newcomer,
  openSignInWithMail,
  PASSWORD,
  step,
} from '../test/sign-in.ts'
import { createProof } from '../test/factories.ts'
import { call } from '../test/setup.ts'
import { logInAs, moveEmail } from '../test/account-setup.ts'
import { givePersonPasskey, requestPersonChallenge } from '../test/passkey-setup.ts'

describe('a stolen dump', () => {
  let service: Awaited<ReturnType<typeof openSignInWithMail>>
  /** Every active credential, by kind. */
  const alive: Record<string, string> = {}
  const codes: string[] = []
  let emails: string[]
  let dump: string

  before(async () => {
    service = await openSignInWithMail()
    const { clientId } = service.app
    const [person, other] = [await makePerson(service), newcomer(service)]
    emails = [person.email, other.email]
    const { serviceUserId } = service.user
    const session = await call(service, createSession, { serviceUserId })
    alive['session'] = session.json<{ sessionToken: string }>().sessionToken
    const { ticket: toVerify } = await step(service, signUp, other)
    await step(service, forgotPassword, { clientId, email: person.email })
    const toReset = await service.mail.readTicket(person.email)
    codes.push(await service.mail.readCode(other.email))
    const { verifier, challenge: linkChallenge } = createProof()
    const asked = { clientId, ...person, id: undefined, challenge: linkChallenge }
    const { ticket: toAgree } = await step(service, logIn, asked)
    const { linkCode } = await step(service, agree, { ticket: toAgree })
    const next = await makePerson(service)
    const result = await step(service, logIn, { clientId, ...next, id: undefined })
    const { email, password } = next
    const { headers } = await callPage(service, logInToAccount, { email, password })
    alive['cookie'] = /=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? ''
    const mover = await makePerson(service)
    const cookie = await logInAs(service.harness, mover.email)
    await moveEmail(service, { cookie })
    const toUndo = await service.mail.readUndoTicket(mover.email)
    const toWarn = await service.mail.readWarningTicket(mover.email)
    await givePersonPasskey(service, { cookie: await logInAs(service.harness, next.email) })
    const { challenge } = await requestPersonChallenge(service)
    Object.assign(alive, {
      challenge,
      toVerify,
      toReset,
      toUndo,
      toWarn,
      linkCode,
      verifier,
      toAgree: result.ticket,
      PASSWORD,
    })
    const { rows } = await service.harness.admin.query<{ row: string }>(
      `select c::text as row from directory.client_secrets c`,
    )
    dump = [await dumpDirectory(service), ...rows.map(({ row }) => row)].join('\n')
  })
  after(() => service.close())

  /** Every value in the dump, also without its type prefix. */
  function valuesOf(text: string): string[] {
    const found = text.match(/[^\s(),"]+/g) ?? []
    return [...new Set(found.flatMap((each) => [each, each.replace(/^\\+x/, '')]))]
  }

  const readAs = (cookie: string | undefined) =>
    call(service, readAccount, {}, { cookie: `__Host-coffer=${cookie}` })

  it('contains no plaintext credential', () => {
    const secrets = { ...alive, clientSecret: service.app.clientSecret }
    for (const [name, secret] of Object.entries(secrets)) {
      assert(secret.length > 10, name)
      const bare = secret.replace(/^[a-z]+_/, '')
      const forms = [secret, bare, bare.replaceAll('-', ''), Buffer.from(secret).toString('hex')]
      for (const form of forms) assert(!dump.includes(form), name)
    }
  })

  it('contains no code, and no hash from which six digits can be brute-forced', () => {
    const values = new Set(valuesOf(dump))
    for (const code of codes) {
      assert(!values.has(code))
      assert(!dump.includes(hash('sha256', code)))
    }
    const hashes = [...values].filter((value) => /^[0-9a-f]{64}$/.test(value))
    assert(hashes.length >= 6)
    // The correct code, salted with any other value of the dump, matches nothing either.
    for (const salt of values) {
      for (const code of codes) {
        for (const text of [`${salt} ${code}`, `${code} ${salt}`, `${salt}${code}`]) {
          assert(!hashes.includes(hash('sha256', text)))
        }
      }
    }
  })

  it('does not reveal whose attempts and emails were counted', async () => {
    const { rows } = await service.harness.admin.query<{ hash: string }>(
      `select encode(email_hash, 'hex') as hash from directory.log_in_failures`,
    )
    const hashes = rows.map((row) => row.hash)
    assert(hashes.length > 0)
    for (const email of emails) {
      for (const kind of ['mail', 'reset', 'notice']) {
        assert(!hashes.includes(hash('sha256', `${kind} ${email}`)), kind)
      }
    }
  })

  it('contains no value that works as a session, a ticket, a code, a secret or a password', async () => {
    const { clientId } = service.app
    const { serviceUserId } = service.user
    const values = valuesOf(dump).filter((value) => value.length >= 6)
    assert(values.length > 20)
    for (const value of values) {
      // Otherwise the response would report the rate limit, not the password.
      await service.harness.admin.query('delete from directory.log_in_failures')
      const tries = [
        call(service, readWidgetWallet, { session: value }),
        call(service, readWidgetWallet, { session: `ws_${value}` }),
        call(service, exchangeLinkCode, { linkCode: value, verifier: alive['verifier'] }),
        call(service, exchangeLinkCode, { linkCode: `lc_${value}`, verifier: alive['verifier'] }),
        call(service, exchangeLinkCode, { linkCode: alive['linkCode'], verifier: value }),
        call(service, readWallet, { serviceUserId, clientSecret: value }),
        readAs(value),
        callPage(service, agree, { ticket: value }),
        callPage(service, resetAccountPassword, { ticket: value, password: PASSWORD }),
        callPage(service, undoEmailChange, { ticket: value, password: PASSWORD }),
        callPage(service, secureAccount, { ticket: value }),
        ...codes.map((code) => callPage(service, verifyEmail, { ticket: value, code })),
        ...emails.map((email) => callPage(service, logIn, { clientId, email, password: value })),
      ]
      for (const { statusCode } of await Promise.all(tries)) {
        assert([400, 401].includes(statusCode), `${statusCode} for ${value}`)
      }
    }
  })

  it('was taken while the credentials were valid: they still work', async () => {
    const wallet = await call(service, readWidgetWallet, { session: alive['session'] })
    const { linkCode, verifier } = alive
    const exchanged = await call(service, exchangeLinkCode, { linkCode, verifier })
    const account = await readAs(alive['cookie'])
    const statuses = [wallet, exchanged, account].map(({ statusCode }) => statusCode)
    assert.deepEqual(statuses, [200, 200, 200])
    await step(service, verifyEmail, { ticket: alive['toVerify'], code: codes[0] })
    const password = 'another sound one'
    await step(service, resetAccountPassword, { ticket: alive['toReset'], password })
    await step(service, undoEmailChange, { ticket: alive['toUndo'], password })
    await step(service, secureAccount, { ticket: alive['toWarn'] })
    await step(service, agree, { ticket: alive['toAgree'] })
  })
})
