import * as endpoints from '@coffer/contract/admin/people'
import { readAccount } from '@coffer/contract/account/account'
import { credit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { startSandbox, type RunningSandbox } from '../../../sandbox/start-sandbox.ts'
import { link } from '../../identity/link.ts'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { giveBonus } from '../../test/factories.ts'
import { ask, makePerson, type TestPerson } from '../../test/account-setup.ts'
import { changesNothing, assertRefusal, call } from '../../test/setup.ts'
import { stripeEnv } from '../../../sandbox/stripe-env.ts'
import { createIntent } from '../../topup/create-intent.ts'

const endpoint = endpoints.erasePerson
const reason = 'Asked for it in ticket 4711'

describe('POST /api/admin/people/erase', () => {
  let sandbox: RunningSandbox
  let setup: AdminSetup
  before(async () => {
    sandbox = await startSandbox()
    setup = await openAdminSetup(stripeEnv(sandbox))
  })
  after(async () => {
    await setup.harness.end()
    await sandbox.close()
  })

  const erase = (id: bigint) => askAs(setup, setup.owner, endpoint, { id: String(id), reason })
  const isThere = async (id: bigint) => {
    const text = 'select from directory.people where service_user_id = $1'
    return (await setup.harness.admin.query(text, [id])).rowCount === 1
  }
  const actionsOn = async (id: bigint) =>
    (await auditOf(setup, `person/${id}`)).map(({ action }) => action)
  const makeLinked = async () => {
    const person = await makePerson(setup.harness)
    return {
      ...person,
      serviceUserId: await link(setup.harness.context.db, setup.app.id, person.id),
    }
  }
  /** Starts a top-up and returns its id at the processor. */
  async function beginTopup(person: TestPerson & { serviceUserId: string }): Promise<string> {
    const { context } = setup.harness
    const clientApp = await context.clientApps.find(setup.app.clientId)
    assert(clientApp && context.processor)
    const { id: userId, walletId, serviceUserId } = person
    const session = { clientApp, userId, walletId, serviceUserId, parentOrigin: null }
    const tools = { ...context, processor: context.processor }
    return (await createIntent(tools, session, '10')).paymentIntentId
  }
  const insertGrant = (person: TestPerson, status: 'approved' | 'posted') =>
    setup.harness.admin.query(
      `insert into admin.grants (id, service_user_id, wallet_id, kind, amount, reason, needs_second, status,
          proposed_by, decided_at)
        values (gen_random_uuid(), $1, $2, 'bonus', 1, 'test', false, $3, $4, now())`,
      [person.id, person.walletId, status, setup.operator.id],
    )

  describe('after the wait', { concurrency: true }, () => {
    it('200 erases all personal data, keeps the ledger, and leaves no personal data in the audit log', async () => {
      const { harness, app } = setup
      const person = await makeLinked()
      const intent = await beginTopup(person)
      const response = await erase(person.id)
      assert.equal(response.statusCode, 200, response.body)
      const { rows } = await harness.admin.query(
        `select (select count(*)::int from directory.people where service_user_id = $1) as people,
          (select count(*)::int from directory.log_ins where service_user_id = $1) as log_ins,
          (select count(*)::int from directory.tickets where service_user_id = $1) as tickets,
          (select count(*)::int from directory.links where service_user_id = $1 and ended_at is null) as links,
          (select count(*)::int from directory.service_users where id = $1) as users,
          (select count(*)::int from ledger.wallets where id = $2) as wallets`,
        [person.id, person.walletId],
      )
      const gone = { people: 0, log_ins: 0, tickets: 0, links: 0 }
      assert.deepEqual(rows, [{ ...gone, users: 1, wallets: 1 }])
      assert.equal(sandbox.state.paymentIntents.get(intent)?.status, 'canceled')
      const fields = { amount: 1, referenceType: 'T', referenceId: randomUUID() }
      const { serviceUserId } = person
      const late = await call({ harness, app, user: person }, credit, { serviceUserId, ...fields })
      assertRefusal(late, credit, 'USER_NOT_FOUND')
      const out = await ask({ harness, person }, readAccount)
      assertRefusal(out, readAccount, 'LOGIN_REQUIRED')
      const entries = await auditOf(setup, `person/${person.id}`)
      assert.deepEqual(
        entries.map(({ actor, action, before: was, after: is }) => [actor, action, was, is]),
        [
          [setup.owner.email, 'person.unlink', null, { reason }],
          [setup.owner.email, 'person.erase', { isErased: false }, { isErased: true, reason }],
        ],
      )
      const log = await harness.admin.query('select a::text as row from admin.audit a')
      for (const { row } of log.rows as { row: string }[]) {
        assert(!row.includes(person.email) && !row.includes(person.serviceUserId))
      }
    })

    it('503 OUTCOME_UNKNOWN when it takes too long, and it is completed', async (t) => {
      const person = await makePerson(setup.harness)
      refusals.readSlowly(t, setup.harness, person, 7_500)
      assertRefusal(await erase(person.id), endpoint, 'OUTCOME_UNKNOWN')
      while (await isThere(person.id)) await sleep(100)
    })

    it('200 for concurrent and repeated requests, with one audit entry', async () => {
      const { id } = await makePerson(setup.harness)
      const responses = await Promise.all([erase(id), erase(id)])
      assert.deepEqual(outcomesOf([...responses, await erase(id)]), ['200', '200', '200'])
      assert.deepEqual(await actionsOn(id), ['person.erase'])
    })

    it('409 ACCOUNT_NOT_EMPTY when money arrives during the wait: the person keeps it, the links end', async () => {
      const { harness } = setup
      const person = await makeLinked()
      const response = erase(person.id)
      await sleep(1_000)
      // Like a credit whose link was checked before the link ended.
      await giveBonus(harness.context.ledger, person.walletId, 1n)
      assertRefusal(await response, endpoint, 'ACCOUNT_NOT_EMPTY')
      const account = (await ask({ harness, person }, readAccount)).json()
      assert.deepEqual([account.balance, account.apps], [0.01, []])
      assert.deepEqual(await actionsOn(person.id), ['person.unlink'])
    })

    it('409 ACCOUNT_NOT_EMPTY when a card payment starts during the wait, or a refund may still fail', async () => {
      const { harness } = setup
      const paying = await makeLinked()
      const refunded = await makeLinked()
      await harness.admin.query(
        `with t as (insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, status)
            values ($1, $2, $3, 100, 'credited') returning id)
          insert into directory.refunds (topup_id, amount) select id, 100 from t`,
        [refunded.id, refunded.walletId, setup.app.id],
      )
      const responses = [erase(paying.id), erase(refunded.id)]
      await sleep(1_000)
      await beginTopup(paying)
      for (const response of responses) assertRefusal(await response, endpoint, 'ACCOUNT_NOT_EMPTY')
      assert((await isThere(paying.id)) && (await isThere(refunded.id)))
    })

    it('503 SERVICE_UNAVAILABLE when a link or a grant is created during the wait, and nothing is erased', async () => {
      const linking = await makePerson(setup.harness)
      const given = await makePerson(setup.harness)
      const responses = [erase(linking.id), erase(given.id)]
      await sleep(1_000)
      await link(setup.harness.context.db, setup.app.id, linking.id)
      await insertGrant(given, 'approved')
      for (const response of responses)
        assertRefusal(await response, endpoint, 'SERVICE_UNAVAILABLE')
      assert((await isThere(linking.id)) && (await isThere(given.id)))
      assert.deepEqual([...(await actionsOn(linking.id)), ...(await actionsOn(given.id))], [])
    })
  })

  it('409 ACCOUNT_NOT_EMPTY with a balance, a debt or a completed payment, immediately and without an audit entry', async () => {
    const { harness } = setup
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
    await changesNothing(setup, async () => {
      for (const { id } of [rich, indebted]) {
        assertRefusal(await erase(id), endpoint, 'ACCOUNT_NOT_EMPTY')
        assert(await isThere(id))
      }
    })
    const payer = await makeLinked()
    sandbox.complete(await beginTopup(payer))
    assertRefusal(await erase(payer.id), endpoint, 'ACCOUNT_NOT_EMPTY')
    assert(await isThere(payer.id))
  })

  it('502 PAYMENT_PROVIDER_ERROR when the processor cannot be reached, and nothing is erased', async () => {
    const person = await makeLinked()
    await beginTopup(person)
    sandbox.faults.status500 = { times: 10, route: '*' }
    assertRefusal(await erase(person.id), endpoint, 'PAYMENT_PROVIDER_ERROR')
    sandbox.resetFaults()
    assert(await isThere(person.id))
  })

  it('404 NOT_FOUND for an unknown person', () =>
    changesNothing(setup, async () =>
      assertRefusal(await erase(999_999_999n), endpoint, 'NOT_FOUND'),
    ))
})
