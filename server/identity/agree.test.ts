import { exchangeLinkCode, readWallet } from '@coffer/contract/server-api'
import { agree as endpoint, logIn } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callPage, makePerson, openSignIn, step, type TestPerson } from '../test/sign-in.ts'
import { makeClientApp } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Setup } from '../test/setup.ts'
import { unlink } from './link.ts'
import { issueTicket, pruneTickets } from './ticket.ts'

describe('POST /api/widget/auth/agree', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn()
  })
  after(() => setup.harness.end())

  async function askConsent(there: Setup, { email, password }: TestPerson): Promise<string> {
    const fields = { clientId: there.app.clientId, email, password }
    const { step: next, ticket } = await step(there, logIn, fields)
    assert.equal(next, 'consent')
    return ticket ?? ''
  }
  const fieldsOf = async (there: Setup) => {
    return { ticket: await askConsent(there, await makePerson(there)) }
  }

  async function findLinks({ id }: TestPerson) {
    const { rows } = await setup.harness.admin.query(
      'select client_app_id, ended_at from directory.links where service_user_id = $1',
      [id],
    )
    return rows
  }

  it('200 links the requested app, and the link code proves it', async () => {
    const person = await makePerson(setup)
    const ticket = await askConsent(setup, person)
    assert.deepEqual(await findLinks(person), [])
    const linked = await step(setup, endpoint, { ticket })
    assert.deepEqual(Object.keys(linked), ['step', 'serviceUserId', 'linkCode'])
    assert.equal(linked.step, 'linked')
    const { serviceUserId, linkCode } = linked
    assert.match(serviceUserId ?? '', /^su_[0-9a-f]{32}$/)
    const exchanged = await call(setup, exchangeLinkCode, { linkCode })
    assert.deepEqual(exchanged.json(), { serviceUserId })
    assert.equal((await call(setup, readWallet, { serviceUserId })).statusCode, 200)
    const links = [{ client_app_id: setup.app.id.toString(), ended_at: null }]
    assert.deepEqual(await findLinks(person), links)
  })

  it('200 returns a different id for another app, and a new one after an unlink', async () => {
    const person = await makePerson(setup)
    const { context } = setup.harness
    const other = { ...setup, app: await makeClientApp(context) }
    const ids = new Set<unknown>()
    for (const there of [setup, other]) {
      const linked = await step(there, endpoint, { ticket: await askConsent(there, person) })
      ids.add(linked.serviceUserId)
    }
    await unlink(context.db, setup.app.id, person.id)
    const anew = await step(setup, endpoint, { ticket: await askConsent(setup, person) })
    ids.add(anew.serviceUserId)
    assert.equal(ids.size, 3)
  })

  it('200 creates one link for two tickets of one person', async () => {
    const person = await makePerson(setup)
    const tickets = [await askConsent(setup, person), await askConsent(setup, person)]
    const linked = await Promise.all(tickets.map((ticket) => step(setup, endpoint, { ticket })))
    assert.equal(linked[0]?.serviceUserId, linked[1]?.serviceUserId)
    assert.equal((await findLinks(person)).length, 1)
  })

  it('400 INVALID_REQUEST for a malformed ticket', () =>
    refusals.refusesValues(setup, endpoint, fieldsOf, { ticket: ['', 'a b', 'x'.repeat(65)] }))

  it('401 LOGIN_REQUIRED for a used ticket, also concurrently', async () => {
    const fields = await fieldsOf(setup)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => callPage(setup, endpoint, fields)),
    )
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
    for (const response of [...responses, await callPage(setup, endpoint, fields)]) {
      if (response.statusCode !== 200) assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    }
  })

  it('401 LOGIN_REQUIRED for a ticket that is expired, unknown, or for another purpose', async () => {
    const { admin, context } = setup.harness
    const person = await makePerson(setup)
    const fields = { ticket: await askConsent(setup, person) }
    await admin.query(`update directory.tickets set expires_at = now() - interval '1 second'`)
    assertRefusal(await callPage(setup, endpoint, fields), endpoint, 'LOGIN_REQUIRED')
    await pruneTickets(context.db)
    assertRefusal(await callPage(setup, endpoint, fields), endpoint, 'LOGIN_REQUIRED')
    const unknown = { ticket: 'x'.repeat(32) }
    assertRefusal(await callPage(setup, endpoint, unknown), endpoint, 'LOGIN_REQUIRED')
    const others = [
      { purpose: 'reset_link', serviceUserId: person.id, email: person.email },
      { purpose: 'verify_email', clientAppId: setup.app.id, serviceUserId: person.id },
    ] as const
    for (const other of others) {
      const ticket = await issueTicket(context.db, other)
      assertRefusal(await callPage(setup, endpoint, { ticket }), endpoint, 'LOGIN_REQUIRED')
    }
    assert.deepEqual(await findLinks(person), [])
  })

  it('200 until the ticket expires, after ten minutes by the database\u2019s clock', async () => {
    await pruneTickets(setup.harness.context.db)
    await setup.harness.admin.query('delete from directory.tickets')
    await fieldsOf(setup)
    const { rows } = await setup.harness.admin.query<{ seconds: string }>(
      'select extract(epoch from expires_at - now()) as seconds from directory.tickets',
    )
    const seconds = Number(rows[0]?.seconds)
    assert(rows.length === 1 && seconds > 590 && seconds <= 600, `${seconds} s`)
  })
})
