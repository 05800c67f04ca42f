import * as endpoints from '@coffer/contract/admin/people'
import { credit, debit } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  openAdminStage,
  statusesOf,
  type AdminStage,
  type TestOperator,
} from '../../test/admin-setup.ts'
import { makeLinkedUser, makeUser } from '../../test/factories.ts'
import { changesNothing, assertRefusal, call } from '../../test/setup.ts'

describe('POST /api/admin/people/freeze', () => {
  const endpoint = endpoints.freezeWallet
  const reason = 'Stolen phone, ticket 4711'
  let stage: AdminStage
  before(async () => {
    stage = await openAdminStage()
  })
  after(() => stage.harness.end())

  const fieldsOf = async ({ harness }: AdminStage) => ({
    id: String((await makeUser(harness.context)).id),
    isFrozen: true,
    reason,
  })
  const set = (id: bigint, isFrozen: boolean, by: TestOperator = stage.operator) =>
    askAs(stage, by, endpoint, { id: String(id), isFrozen, reason: ` ${reason} ` })
  const isActive = async ({ walletId }: { walletId: bigint }) =>
    (await stage.harness.context.ledger.readWallet(walletId))?.isActive

  it('200 refuses debits and takes credits, until it is unfrozen', async () => {
    const { harness, app } = stage
    const user = await makeLinkedUser(harness.context, app, 10_00n)
    let count = 0
    const move = (what: typeof credit | typeof debit) =>
      call({ harness, app, user }, what, {
        serviceUserId: user.serviceUserId,
        amount: 1,
        referenceType: 'ORDER',
        referenceId: `freeze-${++count}`,
      })
    assert.equal((await set(user.id, true)).statusCode, 200)
    assertRefusal(await move(debit), debit, 'WALLET_INACTIVE')
    assert.equal((await move(credit)).statusCode, 200)
    assert.equal((await set(user.id, false)).statusCode, 200)
    assert.equal((await move(debit)).statusCode, 200)
    const entries = await auditOf(stage, `person/${user.id}`)
    assert.deepEqual(
      entries.map(({ actor, action, before: was, after: is }) => [actor, action, was, is]),
      [
        [stage.operator.email, 'wallet.freeze', { isFrozen: false }, { isFrozen: true, reason }],
        [stage.operator.email, 'wallet.unfreeze', { isFrozen: true }, { isFrozen: false, reason }],
      ],
    )
  })

  it('200 again changes nothing and leaves no second entry', async () => {
    const user = await makeUser(stage.harness.context)
    assert.equal((await set(user.id, true)).statusCode, 200)
    await changesNothing(stage, async () => {
      assert.equal((await set(user.id, true)).statusCode, 200)
      assert.equal((await set(user.id, true, stage.owner)).statusCode, 200)
    })
  })

  it('200 many at once: it is frozen, and every audit entry is correct', async () => {
    const user = await makeUser(stage.harness.context)
    const all = [stage.operator, stage.owner, stage.operator, stage.owner]
    const answers = await Promise.all(all.map((by) => set(user.id, true, by)))
    assert.deepEqual(statusesOf(answers), [200, 200, 200, 200])
    assert.equal(await isActive(user), false)
    const entries = await auditOf(stage, `person/${user.id}`)
    assert(entries.length >= 1 && entries.length <= 4)
    for (const { action, before: was } of entries) {
      assert.deepEqual([action, was], ['wallet.freeze', { isFrozen: false }])
    }
  })

  it('200 after a crash between the audit entry and the ledger it can be repeated', async () => {
    const user = await makeUser(stage.harness.context)
    const { admin } = stage.harness
    await admin.query(`
      create function pg_temp.die() returns trigger language plpgsql as $$ begin raise 'dead'; end $$;
      create trigger die before update on ledger.wallets for each row when (old.id = ${user.walletId})
        execute function pg_temp.die()`)
    assert.equal((await set(user.id, true)).statusCode, 500)
    await admin.query('drop trigger die on ledger.wallets')
    assert.equal(await isActive(user), true)
    assert.equal((await set(user.id, true)).statusCode, 200)
    assert.equal(await isActive(user), false)
    const entries = await auditOf(stage, `person/${user.id}`)
    assert.deepEqual(
      entries.map(({ before: was }) => was),
      [{ isFrozen: false }, { isFrozen: false }],
    )
  })

  it('404 NOT_FOUND for a person who never was', () =>
    changesNothing(stage, async () =>
      assertRefusal(await set(999_999_999n, true), endpoint, 'NOT_FOUND'),
    ))

  it('400 INVALID_REQUEST for what does not fit, and without a reason', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['id', 5],
      ['id', 'su_1'],
      ['isFrozen', 'yes'],
      ['isFrozen', undefined],
      ['reason', undefined],
      ['reason', ''],
      ['reason', 'no'],
      ['reason', '    '],
      ['reason', 'x'.repeat(501)],
      ['reason', 'two\u0000lines'],
    ]))
})
