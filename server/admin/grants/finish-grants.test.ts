/** A crash at any point of a grant: it is posted once, or not at all. */
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
  openAdminStage,
  type AdminStage,
} from '../../test/admin-setup.ts'
import { makeUser, type TestUser } from '../../test/factories.ts'
import {
  approve,
  assertGrantBooks,
  balanceOf,
  countPosted,
  grantFields,
  plantOpenGrant,
  propose,
  rowOf,
  subjectOf,
} from '../../test/grant-setup.ts'
import { startHarness } from '../../test/harness.ts'
import { insertGrant, setApproved, type MoneyKind, type NewGrant } from './queries.ts'
import { finishGrants } from './post-grant.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(async () => {
  await assertGrantBooks(stage)
  await stage.harness.end()
})
const finish = () => finishGrants(stage.harness.context)

/** Stored and decided, then the process crashed. */
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
    proposerId: stage.operator.id,
  }
  await stage.harness.context.db.query(insertGrant(grant))
  return id
}

/** The ledger posted it, then the process crashed before storing that. */
async function forgetThatPosted(id: string) {
  const text = `update admin.grants set status = 'approved' where id = $1 and status = 'posted'`
  assert.equal((await stage.harness.admin.query(text, [id])).rowCount, 1)
}

describe('a grant whose process crashed', () => {
  it('after it was stored: the same request finishes it', async () => {
    const user = await makeUser(stage.harness.context, 50_00n)
    const fields = await grantFields(stage, { personId: String(user.id) })
    const id = await plantApproved(user, { id: String(fields['id']) })
    assert.equal(await balanceOf(stage, user.id), 50_00n)
    const response = await askAs(stage, stage.operator, endpoints.proposeGrant, fields)
    assert.equal(response.json<{ balance: number }>().balance, 70)
    await finish()
    assert.deepEqual(
      [await countPosted(stage, { id }), await balanceOf(stage, user.id)],
      [1, 70_00n],
    )
  })

  it('after it was stored: the next process that starts finishes it', async () => {
    const user = await makeUser(stage.harness.context)
    const direct = await plantApproved(user)
    const { id: seconded } = await plantOpenGrant(stage, { user })
    await stage.harness.context.db.query(setApproved(seconded, stage.owner.id))
    const { databaseUrl } = stage.harness
    const next = await startHarness({ ...ADMIN_ENV, DATABASE_URL: databaseUrl })
    for (const id of [direct, seconded]) {
      assert.equal((await rowOf(stage, { id })).status, 'posted')
      assert.equal(await countPosted(stage, { id }), 1)
    }
    assert.equal(await balanceOf(stage, user.id), 520_00n)
    await next.end()
  })

  it('after the ledger posted it: the next attempt finds it posted, and the log has no second entry', async () => {
    const { id, fields } = await propose(stage, stage.operator, { amount: '1' })
    await forgetThatPosted(id)
    await finish()
    assert.equal((await rowOf(stage, { id })).status, 'posted')
    await forgetThatPosted(id)
    const response = await askAs(stage, stage.operator, endpoints.proposeGrant, fields)
    assert.equal(response.json<{ balance: number }>().balance, 51)
    assert.equal((await rowOf(stage, { id })).status, 'posted')
    assert.equal(await countPosted(stage, { id }), 1)
    assert.equal((await auditOf(stage, subjectOf(fields))).length, 1)
  })

  it('and many processes finish it at once: it is posted once', async () => {
    const user = await makeUser(stage.harness.context)
    const { id } = await plantOpenGrant(stage, { user })
    await stage.harness.context.db.query(setApproved(id, stage.owner.id))
    const retries = Array.from({ length: 10 }, () => approve(stage, stage.owner, { id }))
    await Promise.all([...retries, finish(), finish(), finish()])
    assert.equal(await balanceOf(stage, user.id), 500_00n)
    assert.equal(await countPosted(stage, { id }), 1)
  })

  it('before the ledger refused it: the service stores the refusal once', async () => {
    const user = await makeUser(stage.harness.context)
    const id = await plantApproved(user, { kind: 'correction_out' })
    await Promise.all([finish(), finish()])
    const { status, refusal } = await rowOf(stage, { id })
    assert.deepEqual([status, refusal], ['refused', 'INSUFFICIENT_BALANCE'])
    const entries = await auditOf(stage, subjectOf({ personId: String(user.id) }))
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor]),
      [['grant.refuse', 'service']],
    )
  })

  it('does not stop the others when its reference was used for something else', async () => {
    const { context, admin } = stage.harness
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
    assert.equal((await rowOf(stage, { id: bad })).status, 'approved')
    assert.equal((await rowOf(stage, { id: good })).status, 'posted')
    assert.equal(await balanceOf(stage, user.id), 20_00n)
    await admin.query('delete from admin.grants where id = $1', [bad])
  })
})

describe('a person who deletes the account while money is on its way', () => {
  it('stays, and has it', async () => {
    const { context } = stage.harness
    const user = await makeUser(context)
    const leave = () => deleteAccount(context, { userId: user.id, walletId: user.walletId })
    const refusedWith = (code: string) => (error: unknown) =>
      error instanceof ServiceError && error.code === code
    await plantApproved(user)
    await assert.rejects(leave(), refusedWith('SERVICE_UNAVAILABLE'))
    await finish()
    await assert.rejects(leave(), refusedWith('ACCOUNT_NOT_EMPTY'))
    const { rowCount } = await stage.harness.admin.query(
      'select from directory.people where service_user_id = $1',
      [user.id],
    )
    assert.equal(rowCount, 1)
  })
})
