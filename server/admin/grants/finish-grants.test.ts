/** After a crash at any point, a grant is posted once or not at all. */
import * as endpoints from '@coffer/contract/admin/grants'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { BONUS_ACCOUNT } from '../../ledger/types.ts'
import { deleteAccount } from '../../account/delete-account.ts'
import { ServiceError } from '../../service-error.ts'
import {
  ADMIN_ENV,
  askAs,
  auditOf,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { makeUser, type TestUser } from '../../test/factories.ts'
import {
  approve,
  assertGrantBooks,
  balanceOf,
  countPosted,
  plantOpenGrant,
  propose,
  rowOf,
  subjectOf,
} from '../../test/grant-setup.ts'
import { startHarness } from '../../test/harness.ts'
import { insertGrant, setApproved, type MoneyKind, type NewGrant } from './queries.ts'
import { finishGrants } from './post-grant.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(async () => {
  await assertGrantBooks(setup)
  await setup.harness.end()
})
const finish = () => finishGrants(setup.harness.context)

/** The grant is stored and decided, then the process crashes. */
async function plantApproved(
  user: TestUser,
  { id = randomUUID(), kind = 'bonus' }: { id?: string; kind?: MoneyKind } = {},
): Promise<string> {
  const grant: NewGrant = {
    id,
    userId: user.id,
    walletId: user.walletId,
    kind,
    amount: 20_00n,
    reason: 'Paid twice, ticket 4711',
    needsSecond: false,
    proposerId: setup.operator.id,
  }
  await setup.harness.context.db.query(insertGrant(grant))
  return id
}

/** The ledger posts the grant, then the process crashes before it stores the result. */
async function forgetThatPosted(id: string) {
  const text = `update admin.grants set status = 'approved' where id = $1 and status = 'posted'`
  assert.equal((await setup.harness.admin.query(text, [id])).rowCount, 1)
}

describe('a grant after a crash', () => {
  it('is finished by the next process that starts if it was stored', async () => {
    const user = await makeUser(setup.harness.context)
    const direct = await plantApproved(user)
    const { id: seconded } = await plantOpenGrant(setup, { user })
    await setup.harness.context.db.query(setApproved(seconded, setup.owner.id))
    const { databaseUrl } = setup.harness
    const next = await startHarness({ ...ADMIN_ENV, DATABASE_URL: databaseUrl })
    for (const id of [direct, seconded]) {
      assert.equal((await rowOf(setup, { id })).status, 'posted')
      assert.equal(await countPosted(setup, { id }), 1)
    }
    assert.equal(await balanceOf(setup, user.id), 520_00n)
    await next.end()
  })

  it('is found posted if the ledger had posted it, without a second audit entry', async () => {
    const { id, fields } = await propose(setup, setup.operator, { amount: '1' })
    await forgetThatPosted(id)
    await finish()
    assert.equal((await rowOf(setup, { id })).status, 'posted')
    await forgetThatPosted(id)
    const response = await askAs(setup, setup.operator, endpoints.proposeGrant, fields)
    assert.equal(response.json<{ balance: number }>().balance, 51)
    assert.equal((await rowOf(setup, { id })).status, 'posted')
    assert.equal(await countPosted(setup, { id }), 1)
    assert.equal((await auditOf(setup, subjectOf(fields))).length, 1)
  })

  it('is posted once when many processes finish it concurrently', async () => {
    const user = await makeUser(setup.harness.context)
    const { id } = await plantOpenGrant(setup, { user })
    await setup.harness.context.db.query(setApproved(id, setup.owner.id))
    const retries = Array.from({ length: 10 }, () => approve(setup, setup.owner, { id }))
    await Promise.all([...retries, finish(), finish(), finish()])
    assert.equal(await balanceOf(setup, user.id), 500_00n)
    assert.equal(await countPosted(setup, { id }), 1)
  })

  it('does not block other grants when its reference is already used', async () => {
    const { context, admin } = setup.harness
    const user = await makeUser(context)
    const bad = await plantApproved(user)
    await context.ledger.post({
      kind: 'bonus',
      referenceType: 'BONUS',
      referenceId: bad,
      walletId: (await makeUser(context)).walletId,
      amountMinor: 5n,
      counterAccount: BONUS_ACCOUNT,
      description: null,
    })
    const good = await plantApproved(user)
    await assert.rejects(finish(), AggregateError)
    assert.equal((await rowOf(setup, { id: bad })).status, 'approved')
    assert.equal((await rowOf(setup, { id: good })).status, 'posted')
    assert.equal(await balanceOf(setup, user.id), 20_00n)
    await admin.query('delete from admin.grants where id = $1', [bad])
  })
})

describe('a person who deletes the account while a grant is being posted', () => {
  it('is not deleted and receives the money', async () => {
    const { context } = setup.harness
    const user = await makeUser(context)
    const leave = () => deleteAccount(context, { userId: user.id, walletId: user.walletId })
    const refusedWith = (code: string) => (error: unknown) =>
      error instanceof ServiceError && error.code === code
    await plantApproved(user)
    await assert.rejects(leave(), refusedWith('SERVICE_UNAVAILABLE'))
    await finish()
    await assert.rejects(leave(), refusedWith('ACCOUNT_NOT_EMPTY'))
    const { rowCount } = await setup.harness.admin.query(
      'select from directory.people where service_user_id = $1',
      [user.id],
    )
    assert.equal(rowCount, 1)
  })
})
