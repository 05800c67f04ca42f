import * as endpoints from '@coffer/contract/admin/people'
import { credit, debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'
import { makeLinkedUser, makeUser } from '../../test/factories.ts'
import { changesNothing, assertRefusal, call } from '../../test/setup.ts'

describe('POST /api/admin/people/freeze', () => {
  const endpoint = endpoints.freezeWallet
  const reason = 'Stolen phone, ticket 4711'
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup()
  })
  after(() => setup.harness.end())

  const set = (id: bigint, isFrozen: boolean, by: TestOperator = setup.operator) =>
    askAs(setup, by, endpoint, { id: String(id), isFrozen, reason: ` ${reason} ` })
  const isActive = async ({ walletId }: { walletId: bigint }) =>
    (await setup.harness.context.ledger.readWallet(walletId))?.isActive

  it('200 refuses debits and accepts credits until the wallet is unfrozen', async () => {
    const { harness, app } = setup
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
    const entries = await auditOf(setup, `person/${user.id}`)
    assert.deepEqual(
      entries.map(({ actor, action, before: was, after: is }) => [actor, action, was, is]),
      [
        [setup.operator.email, 'wallet.freeze', { isFrozen: false }, { isFrozen: true, reason }],
        [setup.operator.email, 'wallet.unfreeze', { isFrozen: true }, { isFrozen: false, reason }],
      ],
    )
  })

  it('200 for concurrent requests: the wallet is frozen, and every audit entry is correct', async () => {
    const user = await makeUser(setup.harness.context)
    const all = [setup.operator, setup.owner, setup.operator, setup.owner]
    const responses = await Promise.all(all.map((by) => set(user.id, true, by)))
    assert.deepEqual(outcomesOf(responses), ['200', '200', '200', '200'])
    assert.equal(await isActive(user), false)
    const entries = await auditOf(setup, `person/${user.id}`)
    assert(entries.length >= 1 && entries.length <= 4)
    for (const { action, before: was } of entries) {
      assert.deepEqual([action, was], ['wallet.freeze', { isFrozen: false }])
    }
  })

  it('500 without a change or an audit entry if the ledger fails, then 200 for a repeated request', async () => {
    const user = await makeUser(setup.harness.context)
    const { admin } = setup.harness
    await admin.query(`
      create function pg_temp.die() returns trigger language plpgsql as $$ begin raise 'dead'; end $$;
      create trigger die before update on ledger.wallets for each row when (old.id = ${user.walletId})
        execute function pg_temp.die()`)
    assert.equal((await set(user.id, true)).statusCode, 500)
    await admin.query('drop trigger die on ledger.wallets')
    assert.equal(await isActive(user), true)
    assert.equal((await set(user.id, true)).statusCode, 200)
    assert.equal(await isActive(user), false)
    const entries = await auditOf(setup, `person/${user.id}`)
    assert.deepEqual(
      entries.map(({ before: was }) => was),
      [{ isFrozen: false }],
    )
  })

  it('404 NOT_FOUND for an unknown person', () =>
    changesNothing(setup, async () =>
      assertRefusal(await set(999_999_999n, true), endpoint, 'NOT_FOUND'),
    ))
})
