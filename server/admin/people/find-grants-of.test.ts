import { lookUpOperation } from '@coffer/contract/admin/operations'
import { readPersonHistory as endpoint } from '@coffer/contract/admin/people'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link } from '../../identity/link.ts'
import { makePerson, type TestPerson } from '../../test/account-setup.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { approve, propose } from '../../test/grant-setup.ts'
import { call } from '../../test/setup.ts'

interface Entry {
  id: string
  referenceId: string
  app: string | null
  appTransactionId: string | null
  grant: object | null
}

describe('the origin of an entry', () => {
  let setup: AdminSetup
  let person: TestPerson
  before(async () => {
    setup = await openAdminSetup()
    const { harness, app } = setup
    person = await makePerson(harness, 50_00n)
    const serviceUserId = await link(harness.context.db, app.id, person.id)
    const user = { ...person, serviceUserId }
    const order = { serviceUserId, amount: 5.5, referenceType: 'ORDER', referenceId: 'order-1' }
    assert.equal((await call({ harness, app, user }, debit, order)).statusCode, 200)
  })
  after(() => setup.harness.end())

  const readAll = async (id: unknown) =>
    (await askAs(setup, setup.viewer, endpoint, { id: String(id) })).json<{
      transactions: Entry[]
    }>().transactions

  it('200 names the id that the client app sees, and none for the service itself', async () => {
    const entries = await readAll(person.id)
    for (const { app, appTransactionId, grant } of entries) {
      assert.equal(grant, null)
      if (app === null) assert.equal(appTransactionId, null)
      else {
        const found = await askAs(setup, setup.viewer, lookUpOperation, {
          transactionId: appTransactionId,
        })
        assert.equal(found.json().clientApp.name, app)
      }
    }
  })

  it('200 names reason, operators and charge of a correction', async () => {
    const charge = (await readAll(person.id)).find(({ referenceId }) => referenceId === 'order-1')
    const digits = charge?.id.slice(4) ?? assert.fail()
    const [a, b, c, d, e] = [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `8${digits.slice(13, 16)}`,
      `8${digits.slice(17, 20)}`,
      digits.slice(20),
    ]
    const reason = 'Charged twice, ticket 4711'
    const personId = String(person.id)
    const given = { personId, kind: 'correction_in', amount: '5.50', reason }
    await propose(setup, setup.operator, { ...given, id: `${a}-${b}-${c}-${d}-${e}` })
    await propose(setup, setup.operator, { ...given, amount: '1' })
    const large = await propose(setup, setup.operator, { ...given, kind: 'bonus', amount: '101' })
    assert.equal((await approve(setup, setup.owner, large)).statusCode, 200)
    const proposedBy = setup.operator.email
    const [bonus, single, back] = (await readAll(person.id)).map(({ grant }) => grant)
    assert.deepEqual(back, { reason, proposedBy, secondOperator: null, charge: charge?.id })
    assert.deepEqual(single, { reason, proposedBy, secondOperator: null, charge: null })
    const secondOperator = setup.owner.email
    assert.deepEqual(bonus, { reason, proposedBy, secondOperator, charge: null })
  })
})
