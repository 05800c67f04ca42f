/** Keys carry outcomes, so replays and look-ups do not need the operations, whose months may be archived. */
import { credit, debit, findOperation, readWallet } from '@coffer/contract/server/wallet'
import { lookUpOperation } from '@coffer/contract/admin/operations'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { unlink } from '../identity/link.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../test/admin-setup.ts'
import { makeLinkedUser } from '../test/factories.ts'
import { detachMonths } from '../test/ledger/partition-setup.ts'
import { assertReplay, call, movesNothing, type Fields, type Setup } from '../test/setup.ts'

describe('after the months of the operations are archived', () => {
  let admin: AdminSetup
  let setup: Setup
  let restoreMonths: (() => Promise<void>) | undefined
  before(async () => {
    admin = await openAdminSetup()
  })
  after(() => admin.harness.end())
  beforeEach(async () => {
    await restoreMonths?.()
    restoreMonths = undefined
    const { harness, app } = admin
    setup = { harness, app, user: await makeLinkedUser(harness.context, app, 100_00n) }
  })

  const archive = async () => {
    restoreMonths = await detachMonths(setup.harness.admin)
  }
  const fieldsOf = (amount: number): Fields => ({
    serviceUserId: setup.user.serviceUserId,
    amount,
    referenceType: 'ORDER',
    referenceId: randomUUID(),
  })
  const pairOf = ({ referenceType, referenceId }: Fields) => ({ referenceType, referenceId })

  const CASES = [
    ['debit', debit, 1.5, 200],
    ['credit', credit, 2.5, 200],
    ['refused debit', debit, 101, 400],
  ] as const
  for (const [name, endpoint, amount, status] of CASES) {
    it(`${status} replays a ${name} byte for byte, also after an unlink, and looks it up`, async () => {
      const { harness, app, user } = setup
      const fields = fieldsOf(amount)
      const original = await call(setup, endpoint, fields)
      assert.equal(original.statusCode, status)
      const found = await call(setup, findOperation, pairOf(fields))
      const other = { ...fields, amount: amount + 1 }
      await archive()
      await movesNothing(harness.admin, async () => {
        assertReplay(await call(setup, endpoint, fields), original)
      })
      assertReplay(await call(setup, endpoint, other), original, 'amount')
      assert.equal((await call(setup, findOperation, pairOf(fields))).body, found.body)
      await unlink(harness.context.db, app.id, user.id)
      assertReplay(await call(setup, endpoint, fields), original)
    })
  }

  it('200 shows an operator the decision, without the description', async () => {
    const fields = { ...fieldsOf(3), description: 'Two coffees' }
    await call(setup, debit, fields)
    const lookUp = async () => {
      const query = { clientId: setup.app.clientId, ...pairOf(fields) }
      return (await askAs(admin, admin.viewer, lookUpOperation, query)).json().decision
    }
    const found = await lookUp()
    assert.equal(found.description, 'Two coffees')
    await archive()
    assert.deepEqual(await lookUp(), { ...found, description: null })
  })

  it('200 reads a wallet without the archived entries, and debits it', async () => {
    await call(setup, debit, fieldsOf(3))
    await archive()
    const { serviceUserId } = setup.user
    const wallet = (await call(setup, readWallet, { serviceUserId })).json()
    assert.deepEqual([wallet.balance, wallet.transactions], [97, []])
    assert.equal((await call(setup, debit, fieldsOf(4))).json().balance, 93)
    const entries = (await call(setup, readWallet, { serviceUserId })).json().transactions
    assert.deepEqual(
      entries.map(({ balanceAfter }: { balanceAfter: number }) => balanceAfter),
      [93],
    )
  })
})
