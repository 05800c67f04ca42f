/** A reset needs the link from the mailbox, and ends everything that an intruder with the old password has started. */
import * as accountApi from '@coffer/contract/account/account'
import { exchangeLinkCode } from '@coffer/contract/server/wallet'
import { agree, forgotPassword, logIn } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it, mock } from 'node:test'
import { changePassword } from '../account/change-password.ts'
import { startLogIn } from '../account/require-log-in.ts'
import { createProof, makeClientApp } from '../test/factories.ts'
import {
  callPage,
  inventEmail,
  makePerson,
  openSignInWithMail,
  PASSWORD,
  step,
  type TestPerson,
} from '../test/sign-in.ts'
import { assertRefusal, call } from '../test/setup.ts'
import { ServiceError } from '../service-error.ts'
import { link } from './link.ts'
import { logIn as checkPassword } from './log-in.ts'
import { createLink, takeNextStep } from './take-next-step.ts'

const NEW_PASSWORD = 'another sound one'
const endpoint = accountApi.resetAccountPassword

let service: Awaited<ReturnType<typeof openSignInWithMail>>
before(async () => {
  service = await openSignInWithMail()
})
after(() => service.close())

/** A person who forgot the password, with the ticket of the link that was sent. */
async function askLink(about: Parameters<typeof makePerson>[1] = {}) {
  const person = await makePerson(service, about)
  return { person, ticket: await sendLink(person) }
}

async function sendLink({ email }: TestPerson): Promise<string> {
  await step(service, forgotPassword, { clientId: service.app.clientId, email })
  return service.mail.readTicket(email)
}

const reset = (ticket: string, password = NEW_PASSWORD) =>
  callPage(service, endpoint, { ticket, password })

async function succeed(ticket: string) {
  const response = await reset(ticket)
  assert.equal(response.statusCode, 200, response.body)
}

async function refuses(ticket: string) {
  assertRefusal(await reset(ticket), endpoint, 'CODE_INVALID')
}

const logInWith = ({ email }: TestPerson, password: string, { clientId } = service.app) =>
  callPage(service, logIn, { clientId, email, password })

describe('the link that resets a password', () => {
  it('200 sets the password and verifies the email', async () => {
    const { person, ticket } = await askLink({ isVerified: false })
    await succeed(ticket)
    assertRefusal(await logInWith(person, PASSWORD), logIn, 'LOGIN_FAILED')
    const next = await logInWith(person, NEW_PASSWORD)
    assert.equal(next.json<{ step: string }>().step, 'consent')
  })

  it('200 after any number of wrong tickets: a stranger cannot use up the attempts', async () => {
    const { ticket } = await askLink()
    for (let index = 0; index < 50; index++) await refuses(randomBytes(24).toString('base64url'))
    await succeed(ticket)
  })

  it('429 RATE_LIMITED does not use it up', async () => {
    const { ticket } = await askLink()
    const refused = () => Promise.reject(new ServiceError('RATE_LIMITED'))
    const busy = mock.method(service.harness.context.passwords, 'hash', refused)
    assertRefusal(await reset(ticket, NEW_PASSWORD), endpoint, 'RATE_LIMITED')
    busy.mock.restore()
    await succeed(ticket)
  })

  it('400 CODE_INVALID when it is used again, also concurrently', async () => {
    const { person, ticket } = await askLink()
    const passwords = ['the first of two', 'the second of two']
    const responses = await Promise.all(passwords.map((password) => reset(ticket, password)))
    const statuses = responses.map(({ statusCode }) => statusCode)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 400],
    )
    await refuses(ticket)
    const set = passwords[statuses.indexOf(200)] ?? ''
    assert.equal((await logInWith(person, set)).statusCode, 200)
  })

  it('does not exist for an unknown email, and the database does as much work', async () => {
    const email = inventEmail()
    await step(service, forgotPassword, { clientId: service.app.clientId, email })
    const { rows } = await service.harness.admin.query(
      'select purpose, service_user_id from directory.tickets where email = $1',
      [email],
    )
    assert.deepEqual(rows, [{ purpose: 'reset_link', service_user_id: null }])
    assert.equal(service.mail.count(email), 0)
  })
})

describe('a reset evicts an intruder', () => {
  it('200 ends link codes that were issued for the old password', async () => {
    const { person, ticket } = await askLink()
    const serviceUserId = await link(service.harness.context.db, service.app.id, person.id)
    const { verifier, challenge } = createProof()
    const { clientId } = service.app
    const credentials = { clientId, email: person.email, password: PASSWORD }
    const { linkCode } = await step(service, logIn, { ...credentials, challenge })
    const exchange = () => call(service, exchangeLinkCode, { linkCode, verifier })
    assert.deepEqual((await exchange()).json(), { serviceUserId })
    await succeed(ticket)
    const refused = await exchange()
    assertRefusal(refused, exchangeLinkCode, 'LINK_CODE_INVALID')
  })

  it('requests consent again at an app that was linked before, once, and keeps the id', async () => {
    const { person, ticket } = await askLink()
    const serviceUserId = await link(service.harness.context.db, service.app.id, person.id)
    const earlier = (await logInWith(person, PASSWORD)).json<{ step: string }>()
    assert.equal(earlier.step, 'linked')
    await succeed(ticket)
    const owner = (await logInWith(person, NEW_PASSWORD)).json<{ step: string; ticket: string }>()
    assert.equal(owner.step, 'consent')
    const linked = await step(service, agree, { ticket: owner.ticket })
    assert.deepEqual([linked.step, linked.serviceUserId], ['linked', serviceUserId])
    const later = (await logInWith(person, NEW_PASSWORD)).json<{ step: string }>()
    assert.equal(later.step, 'linked')
  })

  it('lets nobody continue whose old password was checked right before it', async () => {
    const { context } = service.harness
    const { person, ticket } = await askLink()
    const apps = [await makeClientApp(context), await makeClientApp(context)] as const
    const { challenge } = createProof()
    const [linked, other] = apps.map(({ id }) => ({ clientAppId: id, challenge }))
    assert(linked && other)
    await link(context.db, linked.clientAppId, person.id)
    const caller = { network: '203.0.113.9' }
    const intruder = await checkPassword(context, person, caller)
    await succeed(ticket)
    const { userId, passwordHash, email } = intruder
    const loggedIn = { ...intruder, logInId: '00000000-0000-4000-8000-000000000000', walletId: 0n }
    const steps = {
      'consent to an app': () => takeNextStep(context, intruder, other),
      'a code of a linked app': () => takeNextStep(context, intruder, linked),
      'a new link': () => createLink(context, other, userId, passwordHash),
      'an old link': () => createLink(context, linked, userId, passwordHash),
      'a verification': () => takeNextStep(context, { ...intruder, isVerified: false }, other),
      'a login': () => startLogIn(context, intruder, '', undefined),
      'another password': () =>
        changePassword(context, loggedIn, intruder, 'mine from now on', caller),
    }
    for (const [title, act] of Object.entries(steps)) {
      await assert.rejects(
        act(),
        (error) => error instanceof ServiceError && error.code === 'LOGIN_FAILED',
        title,
      )
    }
    const { rows } = await service.harness.admin.query(
      `select (select count(*)::int from directory.tickets where service_user_id = $1) as tickets,
        (select count(*)::int from directory.log_ins where service_user_id = $1) as log_ins,
        (select count(*)::int from directory.links where service_user_id = $1) as links,
        (select count(*)::int from directory.link_codes c join directory.links l on l.public_id = c.link_public_id
         where l.service_user_id = $1) as codes`,
      [userId],
    )
    assert.deepEqual(rows, [{ tickets: 0, log_ins: 1, links: 1, codes: 0 }])
    assert.equal((await logInWith({ ...person, email }, NEW_PASSWORD)).statusCode, 200)
  })
})
