/** Somebody has a copy of the database: nothing in it opens a door. */
import { logInToAccount, readAccount } from '@coffer/contract/account-api'
import { exchangeLinkCode, readWallet } from '@coffer/contract/server-api'
import {
  agree,
  createSession,
  forgotPassword,
  logIn,
  readWidgetWallet,
  resetPassword,
  signUp,
  verifyEmail,
} from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  callPage,
  dumpDirectory,
  makePerson,
  newcomer,
  openDoorWithMail,
  PASSWORD,
  step,
} from '../test/sign-in.ts'
import { call } from '../test/setup.ts'

describe('a stolen dump', () => {
  let door: Awaited<ReturnType<typeof openDoorWithMail>>
  /** Every credential that is alive, by what it is. */
  const alive: Record<string, string> = {}
  const codes: string[] = []
  let emails: string[]
  let dump: string

  before(async () => {
    door = await openDoorWithMail()
    const { clientId } = door.app
    const [person, other] = [await makePerson(door), newcomer(door)]
    emails = [person.email, other.email]
    const { serviceUserId } = door.user
    const session = await call(door, createSession, { serviceUserId })
    alive['session'] = session.json<{ sessionToken: string }>().sessionToken
    const { ticket: toVerify } = await step(door, signUp, other)
    const { ticket: toReset } = await step(door, forgotPassword, { clientId, email: person.email })
    codes.push(await door.mail.readCode(other.email), await door.mail.readCode(person.email))
    const { ticket: toAgree } = await step(door, logIn, { clientId, ...person, id: undefined })
    const { linkCode } = await step(door, agree, { ticket: toAgree })
    const next = await makePerson(door)
    const asked = await step(door, logIn, { clientId, ...next, id: undefined })
    const { email, password } = next
    const { headers } = await callPage(door, logInToAccount, { email, password })
    alive['cookie'] = /=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? ''
    Object.assign(alive, { toVerify, toReset, linkCode, toAgree: asked.ticket, PASSWORD })
    const { rows } = await door.harness.admin.query<{ row: string }>(
      `select c::text as row from directory.client_secrets c`,
    )
    dump = [await dumpDirectory(door), ...rows.map(({ row }) => row)].join('\n')
  })
  after(() => door.close())

  /** Whatever stands in the dump, also without the marks of its type. */
  function valuesOf(text: string): string[] {
    const found = text.match(/[^\s(),"]+/g) ?? []
    return [...new Set(found.flatMap((each) => [each, each.replace(/^\\+x/, '')]))]
  }

  const readAs = (cookie: string | undefined) =>
    call(door, readAccount, {}, { cookie: `__Host-coffer=${cookie}` })

  it('holds no credential in clear', () => {
    const secrets = { ...alive, clientSecret: door.app.clientSecret }
    for (const [name, secret] of Object.entries(secrets)) {
      assert(secret.length > 10, name)
      const bare = secret.replace(/^[a-z]+_/, '')
      const forms = [secret, bare, bare.replaceAll('-', ''), Buffer.from(secret).toString('hex')]
      for (const form of forms) assert(!dump.includes(form), name)
    }
  })

  it('holds no code, nor a hash that six digits could be searched for', () => {
    const values = new Set(valuesOf(dump))
    for (const code of codes) {
      assert(!values.has(code))
      assert(!dump.includes(hash('sha256', code)))
    }
    const hashes = [...values].filter((value) => /^[0-9a-f]{64}$/.test(value))
    assert(hashes.length >= 6)
    // Salted with anything else that the dump holds, the right code matches nothing either.
    for (const salt of values) {
      for (const code of codes) {
        for (const text of [`${salt} ${code}`, `${code} ${salt}`, `${salt}${code}`]) {
          assert(!hashes.includes(hash('sha256', text)))
        }
      }
    }
  })

  it('no value in it works as a session, a ticket, a code, a secret or a password', async () => {
    const { clientId } = door.app
    const { serviceUserId } = door.user
    const values = valuesOf(dump).filter((value) => value.length >= 6)
    assert(values.length > 20)
    for (const value of values) {
      // Else a pause would answer for the password.
      await door.harness.admin.query('delete from directory.log_in_failures')
      const tries = [
        call(door, readWidgetWallet, { session: value }),
        call(door, readWidgetWallet, { session: `ws_${value}` }),
        call(door, exchangeLinkCode, { linkCode: value }),
        call(door, exchangeLinkCode, { linkCode: `lc_${value}` }),
        call(door, readWallet, { serviceUserId, clientSecret: value }),
        readAs(value),
        callPage(door, agree, { ticket: value }),
        ...codes.flatMap((code) => [
          callPage(door, verifyEmail, { ticket: value, code }),
          callPage(door, resetPassword, { ticket: value, code, password: PASSWORD }),
        ]),
        ...emails.map((email) => callPage(door, logIn, { clientId, email, password: value })),
      ]
      for (const { statusCode } of await Promise.all(tries)) {
        assert([400, 401].includes(statusCode), `${statusCode} for ${value}`)
      }
    }
  })

  it('and what was issued still works: it was alive all the time', async () => {
    const wallet = await call(door, readWidgetWallet, { session: alive['session'] })
    const exchanged = await call(door, exchangeLinkCode, { linkCode: alive['linkCode'] })
    const account = await readAs(alive['cookie'])
    const statuses = [wallet, exchanged, account].map(({ statusCode }) => statusCode)
    assert.deepEqual(statuses, [200, 200, 200])
    const [toVerify, toReset] = codes
    await step(door, verifyEmail, { ticket: alive['toVerify'], code: toVerify })
    const password = 'another sound one'
    await step(door, resetPassword, { ticket: alive['toReset'], code: toReset, password })
    await step(door, agree, { ticket: alive['toAgree'] })
  })
})
