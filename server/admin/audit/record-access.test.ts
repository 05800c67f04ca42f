/** The audit log contains failed logins of operators, and every read and export of personal data. */
import { listGrants, proposeGrant } from '@coffer/contract/admin/grants'
import { listOperations, lookUpOperation } from '@coffer/contract/admin/operations'
import * as people from '@coffer/contract/admin/people'
import * as signIn from '@coffer/contract/admin/sign-in'
import { listTopups, readTopup } from '@coffer/contract/admin/topups'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ask } from '../../test/account-setup.ts'
import {
  askAs,
  beginLogIn,
  freshCode,
  makeOperator,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { makeLinkedUser, makeUser } from '../../test/factories.ts'
import { assertRefusal } from '../../test/setup.ts'

interface Entry {
  actor: string
  actor_id: string | null
  address: string
  action: string
  subject: string | null
  after: object | null
}

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

/** The entries that this adds. */
async function entriesOf(act: () => Promise<unknown>): Promise<Entry[]> {
  const { admin } = setup.harness
  const { rows } = await admin.query<{ id: string }>('select max(id) as id from admin.audit')
  await act()
  const added = await admin.query<Entry>(
    'select actor, actor_id, address, action, subject, after from admin.audit where id > $1 order by id',
    [rows[0]?.id],
  )
  return added.rows
}

describe('a failed login of an operator', () => {
  it('is recorded with a wrong password, with the operator and the address', async () => {
    const { harness, operator } = setup
    const fields = { email: operator.email.toUpperCase(), password: 'wrong' }
    const entries = await entriesOf(async () =>
      assertRefusal(
        await ask({ harness }, signIn.logInToAdmin, fields),
        signIn.logInToAdmin,
        'LOGIN_FAILED',
      ),
    )
    const { id, email } = operator
    assert.deepEqual(entries, [
      {
        actor: email,
        actor_id: String(id),
        address: '127.0.0.1',
        action: 'operator.log_in_failed',
        subject: email,
        after: { step: 'password' },
      },
    ])
  })

  it('is recorded with a wrong code, at the login and at a confirmation', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'operator')
    const ticket = await beginLogIn(harness, someone)
    const code = await freshCode(harness, someone)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const finish = () => ask({ harness }, signIn.finishAdminLogIn, { ticket, code: wrong })
    const { password } = someone
    const confirm = () => askAs(setup, someone, signIn.confirmOperator, { password, code: wrong })
    const entries = await entriesOf(async () => {
      assertRefusal(await finish(), signIn.finishAdminLogIn, 'CODE_INVALID')
      assertRefusal(await confirm(), signIn.confirmOperator, 'CODE_INVALID')
    })
    for (const { actor, action, after: facts } of entries) {
      assert.equal(actor, someone.email)
      assert.equal(action, 'operator.log_in_failed')
      assert.deepEqual(facts, { step: 'code' })
    }
    assert.equal(entries.length, 2)
  })

  it('is recorded without the email if nobody has it, and a flood does not fill the log', async () => {
    const { harness } = setup
    const entries = await entriesOf(async () => {
      for (let each = 0; each < 30; each++) {
        const fields = { email: `person${each}@example.com`, password: 'wrong' }
        await ask({ harness }, signIn.logInToAdmin, fields)
      }
    })
    assert(entries.length >= 5 && entries.length <= 15, `${entries.length} entries`)
    for (const { actor, subject } of entries) assert.deepEqual([actor, subject], ['unknown', null])
  })
})

describe('personal data', () => {
  const READS = [
    [people.readPerson, 'person.read'],
    [people.readPersonHistory, 'person.read_history'],
    [people.exportPersonHistory, 'person.export_history'],
  ] as const

  for (const [endpoint, action] of READS) {
    it(`${endpoint.method} ${endpoint.path} is recorded with the person and the operator`, async () => {
      const id = String((await makeUser(setup.harness.context)).id)
      const entries = await entriesOf(async () => {
        const response = await askAs(setup, setup.viewer, endpoint, { id })
        assert.equal(response.statusCode, 200, response.body)
      })
      assert.deepEqual(
        entries.map(({ actor, subject, action: each }) => [actor, subject, each]),
        [[setup.viewer.email, `person/${id}`, action]],
      )
      const nobody = await entriesOf(() => askAs(setup, setup.viewer, endpoint, { id: '999999' }))
      assert.deepEqual(nobody, [])
    })
  }

  it('a list of people is recorded with its length, without the search text', async () => {
    const { harness, viewer } = setup
    const { id } = await makeUser(harness.context)
    const { rows } = await harness.admin.query<{ email: string }>(
      'select email from directory.people where service_user_id = $1',
      [id],
    )
    const search = rows[0]?.email ?? assert.fail()
    const entries = await entriesOf(() => askAs(setup, viewer, people.listPeople, { search }))
    assert.deepEqual(
      entries.map(({ actor, action, after: facts }) => [actor, action, facts]),
      [[viewer.email, 'person.list', { people: 1 }]],
    )
    assert(!JSON.stringify(entries).includes(search))
  })

  it('names in top-ups, grants and operations are recorded, and an empty page is not', async () => {
    const { harness, app, operator, viewer } = setup
    const { context } = harness
    const user = await makeLinkedUser(context, app, 10_00n)
    const personId = String(user.id)
    const { rows } = await harness.admin.query<{ id: string }>(
      `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount)
       values ($1, $2, $3, 100) returning id`,
      [user.id, user.walletId, app.id],
    )
    const grant = { id: randomUUID(), personId, kind: 'bonus', amount: 1, reason: 'A test' }
    const given = await askAs(setup, operator, proposeGrant, grant)
    assert.equal(given.statusCode, 200, given.body)
    const reads = [
      [listTopups, { personId }, { personId: '999999' }],
      [readTopup, { id: rows[0]?.id }],
      [listGrants, { personId }, { personId: '999999' }],
      [
        lookUpOperation,
        { referenceType: 'BONUS', referenceId: grant.id },
        { referenceType: 'BONUS', referenceId: 'none' },
      ],
      [listOperations, { kind: 'bonus' }, { kind: 'refund' }],
    ] as const
    for (const [endpoint, fields, none] of reads) {
      const entries = await entriesOf(async () => {
        const response = await askAs(setup, viewer, endpoint, fields)
        assert.equal(response.statusCode, 200, response.body)
      })
      const facts = { people: 1, person: `person/${personId}` }
      const found = entries.map(({ actor, action, after: each }) => [actor, action, each])
      assert.deepEqual(found, [[viewer.email, 'person.list', facts]], endpoint.path)
      const empty = none && (await entriesOf(() => askAs(setup, viewer, endpoint, none)))
      assert.deepEqual(empty ?? [], [], endpoint.path)
    }
  })
})
