import { exchangeLinkCode, readWallet } from '@coffer/contract/server-api'
import { agree as endpoint, forgotPassword, logIn } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callPage, makePerson, openDoor, step, type TestPerson } from '../test/sign-in.ts'
import { makeClientApp } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Stage } from '../test/setup.ts'
import { unlink } from './link.ts'
import { pruneTickets } from './ticket.ts'

describe('POST /api/widget/auth/agree', () => {
  let stage: Stage
  before(async () => {
    stage = await openDoor()
  })
  after(() => stage.harness.end())

  async function askConsent(there: Stage, { email, password }: TestPerson): Promise<string> {
    const fields = { clientId: there.app.clientId, email, password }
    const { step: next, ticket } = await step(there, logIn, fields)
    assert.equal(next, 'consent')
    return ticket ?? ''
  }
  const fieldsOf = async (there: Stage) => {
    return { ticket: await askConsent(there, await makePerson(there)) }
  }

  async function findLinks({ id }: TestPerson) {
    const { rows } = await stage.harness.admin.query(
      'select client_app_id, ended_at from directory.links where service_user_id = $1',
      [id],
    )
    return rows
  }

  it('200 links the app that was asked for, and the link code proves it', async () => {
    const person = await makePerson(stage)
    const ticket = await askConsent(stage, person)
    assert.deepEqual(await findLinks(person), [])
    const linked = await step(stage, endpoint, { ticket })
    assert.deepEqual(Object.keys(linked), ['step', 'serviceUserId', 'linkCode'])
    assert.equal(linked.step, 'linked')
    const { serviceUserId, linkCode } = linked
    assert.match(serviceUserId ?? '', /^su_[0-9a-f]{32}$/)
    const exchanged = await call(stage, exchangeLinkCode, { linkCode })
    assert.deepEqual(exchanged.json(), { serviceUserId })
    assert.equal((await call(stage, readWallet, { serviceUserId })).statusCode, 200)
    const links = [{ client_app_id: stage.app.id.toString(), ended_at: null }]
    assert.deepEqual(await findLinks(person), links)
  })

  it('200 gives another id in another app, and a new one after an unlink', async () => {
    const person = await makePerson(stage)
    const { context } = stage.harness
    const other = { ...stage, app: await makeClientApp(context) }
    const ids = new Set<unknown>()
    for (const there of [stage, other]) {
      const linked = await step(there, endpoint, { ticket: await askConsent(there, person) })
      ids.add(linked.serviceUserId)
    }
    await unlink(context.db, stage.app.id, person.id)
    const anew = await step(stage, endpoint, { ticket: await askConsent(stage, person) })
    ids.add(anew.serviceUserId)
    assert.equal(ids.size, 3)
  })

  it('200 two tickets of one person make one link', async () => {
    const person = await makePerson(stage)
    const tickets = [await askConsent(stage, person), await askConsent(stage, person)]
    const linked = await Promise.all(tickets.map((ticket) => step(stage, endpoint, { ticket })))
    assert.equal(linked[0]?.serviceUserId, linked[1]?.serviceUserId)
    assert.equal((await findLinks(person)).length, 1)
  })

  it('400 INVALID_REQUEST for a ticket that cannot be one', () =>
    refusals.refusesValues(stage, endpoint, fieldsOf, { ticket: ['', 'a b', 'x'.repeat(65)] }))

  it('401 LOGIN_REQUIRED for a ticket that was used, also by many at once', async () => {
    const fields = await fieldsOf(stage)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => callPage(stage, endpoint, fields)),
    )
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
    for (const response of [...responses, await callPage(stage, endpoint, fields)]) {
      if (response.statusCode !== 200) assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    }
  })

  it('401 LOGIN_REQUIRED for a ticket that is too old, unknown, or of another purpose', async () => {
    const { admin, context } = stage.harness
    const person = await makePerson(stage)
    const fields = { ticket: await askConsent(stage, person) }
    await admin.query(`update directory.tickets set expires_at = now() - interval '1 second'`)
    assertRefusal(await callPage(stage, endpoint, fields), endpoint, 'LOGIN_REQUIRED')
    await pruneTickets(context.db)
    assertRefusal(await callPage(stage, endpoint, fields), endpoint, 'LOGIN_REQUIRED')
    const unknown = { ticket: 'x'.repeat(32) }
    assertRefusal(await callPage(stage, endpoint, unknown), endpoint, 'LOGIN_REQUIRED')
    const { clientId } = stage.app
    const reset = await step(stage, forgotPassword, { clientId, email: person.email })
    const response = await callPage(stage, endpoint, { ticket: reset.ticket })
    assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    assert.deepEqual(await findLinks(person), [])
  })

  it('200 a ticket lives ten minutes by the clock of the database', async () => {
    await pruneTickets(stage.harness.context.db)
    await stage.harness.admin.query('delete from directory.tickets')
    await fieldsOf(stage)
    const { rows } = await stage.harness.admin.query<{ seconds: string }>(
      'select extract(epoch from expires_at - now()) as seconds from directory.tickets',
    )
    const seconds = Number(rows[0]?.seconds)
    assert(rows.length === 1 && seconds > 590 && seconds <= 600, `${seconds} s`)
  })
})
