import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { credit } from '@coffer/contract/server/wallet'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox, type RunningSandbox } from '../../sandbox/start-sandbox.ts'
import { run } from '../database/statement.ts'
import { link } from '../identity/link.ts'
import { insertWarningLink } from '../identity/warning-link-queries.ts'
import { inventEmail, PASSWORD } from '../test/sign-in.ts'
import { giveBonus } from '../test/factories.ts'
import { connectAdmin } from '../test/harness.ts'
import * as refusals from '../test/refusals.ts'
import {
  ask,
  makePerson,
  openPersonSetup,
  type PersonSetup,
  type TestPerson,
} from '../test/account-setup.ts'
import { assertRefusal, call } from '../test/setup.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'
import { createIntent } from '../topup/create-intent.ts'
import { insertUndoLink } from './undo-link-queries.ts'

describe('POST /api/account/delete', () => {
  const endpoint = endpoints.deleteAccount
  const fieldsOf = () => ({ password: PASSWORD })
  let setup: PersonSetup
  before(async () => {
    setup = await openPersonSetup()
  })
  after(() => setup.harness.end())

  const erase = (person: TestPerson) =>
    ask({ harness: setup.harness, person }, endpoint, fieldsOf())
  const isThere = async ({ id }: TestPerson) => {
    const text = 'select from directory.people where service_user_id = $1'
    return (await setup.harness.admin.query(text, [id])).rowCount === 1
  }

  describe('after the wait', { concurrency: true }, () => {
    it('200 erases all personal data and keeps the wallet and the ledger', async () => {
      const { harness, app } = setup
      const person = await makePerson(harness)
      const serviceUserId = await link(harness.context.db, app.id, person.id)
      await ask({ harness }, endpoints.forgotAccountPassword, { email: person.email })
      const undo = insertUndoLink(randomBytes(32), person.id, person.email, 7)
      await run(harness.context.db, undo)
      const addressee = { userId: person.id, email: person.email }
      await run(harness.context.db, insertWarningLink(randomBytes(32), addressee, 7))
      await harness.admin.query(
        `insert into directory.passkeys (service_user_id, credential_id, public_key, sign_count, transports, name)
         values ($1, $2, '', 0, '{}', 'Phone')`,
        [person.id, randomBytes(32)],
      )
      const response = await erase(person)
      assert.equal(response.statusCode, 200, response.body)
      assert.match(String(response.headers['set-cookie']), /^__Host-coffer=; Max-Age=0;/)
      const { rows } = await harness.admin.query(
        `select (select count(*)::int from directory.people where service_user_id = $1) as people,
        (select count(*)::int from directory.log_ins where service_user_id = $1) as log_ins,
        (select count(*)::int from directory.tickets where service_user_id = $1) as tickets,
        (select count(*)::int from directory.undo_links where service_user_id = $1) as undo_links,
        (select count(*)::int from directory.warning_links where service_user_id = $1) as warning_links,
        (select count(*)::int from directory.passkeys where service_user_id = $1) as passkeys,
        (select count(*)::int from directory.links where service_user_id = $1 and ended_at is null) as links,
        (select count(*)::int from directory.service_users where id = $1) as users,
        (select count(*)::int from ledger.wallets where id = $2 and closed_at is not null) as wallets`,
        [person.id, person.walletId],
      )
      const links = { undo_links: 0, warning_links: 0, links: 0 }
      const gone = { people: 0, log_ins: 0, tickets: 0, passkeys: 0, ...links }
      assert.deepEqual(rows, [{ ...gone, users: 1, wallets: 1 }])
      const again = await ask({ harness, person }, endpoints.readAccount)
      assertRefusal(again, endpoints.readAccount, 'LOGIN_REQUIRED')
      const fields = { serviceUserId, amount: 1, referenceType: 'T', referenceId: randomUUID() }
      const late = await call({ ...setup, user: setup.person }, credit, fields)
      assertRefusal(late, credit, 'USER_NOT_FOUND')
    })

    it('200 when the database needs seconds after the wait', async () => {
      const person = await makePerson(setup.harness)
      const other = await connectAdmin(setup.harness.databaseUrl)
      const response = erase(person)
      await sleep(1_000)
      await other.query('begin')
      const lock = 'select from directory.service_users where id = $1 for no key update'
      await other.query(lock, [person.id])
      await sleep(9_000)
      await other.end()
      assert.equal((await response).statusCode, 200)
      assert(!(await isThere(person)))
    })

    it('503 OUTCOME_UNKNOWN when it takes too long, and it is completed', async (t) => {
      const person = await makePerson(setup.harness)
      refusals.readSlowly(t, setup.harness, person, 7_500)
      assertRefusal(await erase(person), endpoint, 'OUTCOME_UNKNOWN')
      while (await isThere(person)) await sleep(100)
    })

    it('409 ACCOUNT_NOT_EMPTY when money arrives during the wait, and the person keeps it', async () => {
      const { harness, app } = setup
      const person = await makePerson(harness)
      await link(harness.context.db, app.id, person.id)
      const response = erase(person)
      await sleep(1_000)
      // Like a credit whose link was checked before the link ended.
      await giveBonus(harness.context.ledger, person.walletId, 1n)
      assertRefusal(await response, endpoint, 'ACCOUNT_NOT_EMPTY')
      const account = (await ask({ harness, person }, endpoints.readAccount)).json()
      assert.deepEqual([account.balance, account.apps], [0.01, []])
    })

    it('503 SERVICE_UNAVAILABLE when the person links an app during the wait, and nothing is erased', async () => {
      const { harness, app } = setup
      const person = await makePerson(harness)
      const response = erase(person)
      await sleep(1_000)
      await link(harness.context.db, app.id, person.id)
      assertRefusal(await response, endpoint, 'SERVICE_UNAVAILABLE')
      assert(await isThere(person))
      const { apps } = (await ask({ harness, person }, endpoints.readAccount)).json()
      assert.equal(apps.length, 1)
    })
  })

  describe('with open card payments', () => {
    let sandbox: RunningSandbox
    let paying: PersonSetup
    before(async () => {
      sandbox = await startSandbox()
      paying = await openPersonSetup(stripeEnv(sandbox))
    })
    after(async () => {
      await paying.harness.end()
      await sandbox.close()
    })

    /** A person with an empty wallet who has started a top-up. */
    async function begin() {
      const { harness, app } = paying
      const { context } = harness
      const person = await makePerson(harness)
      const serviceUserId = await link(context.db, app.id, person.id)
      const clientApp = await context.clientApps.find(app.clientId)
      assert(clientApp && context.processor)
      const { id: userId, walletId } = person
      const session = { clientApp, userId, walletId, serviceUserId, parentOrigin: null }
      const tools = { ...context, processor: context.processor }
      const { paymentIntentId } = await createIntent(tools, session, '10')
      return { person, paymentIntentId }
    }
    const eraseHere = (person: TestPerson) =>
      ask({ harness: paying.harness, person }, endpoint, fieldsOf())

    it('200 cancels an unpaid top-up', async () => {
      const { person, paymentIntentId } = await begin()
      assert.equal((await eraseHere(person)).statusCode, 200)
      assert.equal(sandbox.state.paymentIntents.get(paymentIntentId)?.status, 'canceled')
    })

    it('409 ACCOUNT_NOT_EMPTY while the processor may still refuse a refund', async () => {
      const { person, paymentIntentId } = await begin()
      const { admin } = paying.harness
      await admin.query(
        `with paid as (
          update directory.topups set status = 'credited' where intent_id = $1 returning id
        )
        insert into directory.refunds (topup_id, amount, next_check_at) select id, 1000, 'infinity' from paid`,
        [paymentIntentId],
      )
      assertRefusal(await eraseHere(person), endpoint, 'ACCOUNT_NOT_EMPTY')
      await admin.query(`update directory.refunds set status = 'sent' where topup_id =
        (select id from directory.topups where intent_id = '${paymentIntentId}')`)
      assert.equal((await eraseHere(person)).statusCode, 200)
    })

    it('502 PAYMENT_PROVIDER_ERROR when the processor cannot be reached', async () => {
      const { person } = await begin()
      sandbox.faults.status500 = { times: 10, route: '*' }
      assertRefusal(await eraseHere(person), endpoint, 'PAYMENT_PROVIDER_ERROR')
      sandbox.resetFaults()
    })
  })

  it('409 ACCOUNT_NOT_EMPTY with a balance or a debt, and the links stay active', async () => {
    const { harness, app } = setup
    const rich = await makePerson(harness, 1n)
    const indebted = await makePerson(harness)
    await harness.context.ledger.post({
      kind: 'seizure',
      referenceType: 'DISPUTE',
      referenceId: randomUUID(),
      walletId: indebted.walletId,
      amountMinor: 1n,
      counterAccount: 1,
      description: null,
    })
    for (const person of [rich, indebted]) {
      await link(harness.context.db, app.id, person.id)
      assertRefusal(await erase(person), endpoint, 'ACCOUNT_NOT_EMPTY')
      const { apps } = (await ask({ harness, person }, endpoints.readAccount)).json()
      assert.equal(apps.length, 1)
    }
  })

  it('401 LOGIN_FAILED for a wrong password', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const response = await ask({ harness, person }, endpoint, { password: 'wrong' })
    assertRefusal(response, endpoint, 'LOGIN_FAILED')
    assert(await isThere(person))
  })

  it('400 INVALID_REQUEST for an invalid password', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['password', undefined],
      ['password', ''],
      ['password', { email: inventEmail() }],
    ]))
})
