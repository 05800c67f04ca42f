import * as grantsEndpoints from '@coffer/contract/admin/grants'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../../database/in-transaction.ts'
import { Ledger } from '../../ledger/ledger.ts'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { makeUser } from '../../test/factories.ts'
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
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(async () => {
  await assertGrantBooks(setup)
  await setup.harness.end()
})

describe('POST /api/admin/grants/approve', () => {
  const endpoint = grantsEndpoints.approveGrant

  it('200 posts the grant once, and the audit log contains both operators and the reason', async () => {
    const { operator, owner } = setup
    const grant = await propose(setup, operator, { amount: '100.01' })
    assert.deepEqual([grant.status, grant.balance], ['open', null])
    assert(grant.approvers.includes(owner.email) && !grant.approvers.includes(operator.email))
    assert.equal(await balanceOf(setup, grant.fields['personId']), 50_00n)
    const response = await approve(setup, owner, grant)
    const posted = { status: 'posted', balance: 150.01, currency: 'USD', approvers: [] }
    assert.deepEqual(response.json(), posted)
    const again = await approve(setup, owner, grant)
    assert.equal(again.body, response.body)
    assert.equal(await countPosted(setup, grant), 1)
    const [proposed, approved, ...others] = await auditOf(setup, subjectOf(grant.fields))
    assert.deepEqual(others, [])
    assert.deepEqual([proposed?.action, proposed?.actor], ['grant.propose', operator.email])
    assert.deepEqual([approved?.action, approved?.actor], ['grant.approve', owner.email])
    assert.deepEqual(approved?.after, {
      grant: grant.id,
      kind: 'bonus',
      amount: '100.01',
      reason: 'Paid twice, ticket 4711',
      proposedBy: operator.email,
      approvedBy: owner.email,
      status: 'approved',
    })
    const repeat = await askAs(setup, operator, grantsEndpoints.proposeGrant, grant.fields)
    assert.deepEqual(repeat.json(), posted)
  })

  it('403 SECOND_OPERATOR_REQUIRED for the proposer', async () => {
    const { id } = await plantOpenGrant(setup, { by: setup.owner.id })
    await changesNothing(setup, async () => {
      assertRefusal(await approve(setup, setup.owner, { id }), endpoint, 'SECOND_OPERATOR_REQUIRED')
    })
  })

  it('409 GRANT_DECIDED for the second of two concurrent approvals, and the grant is posted once', async () => {
    const other = await makeOperator(setup.harness, 'operator')
    for (let round = 0; round < 5; round++) {
      const { id, user } = await plantOpenGrant(setup)
      const responses = await Promise.all([
        approve(setup, setup.owner, { id }),
        approve(setup, other, { id }),
      ])
      assert.deepEqual(outcomesOf(responses), ['200', 'GRANT_DECIDED'])
      const late = responses.find(({ statusCode }) => statusCode === 409) ?? assert.fail()
      assertRefusal(late, endpoint, 'GRANT_DECIDED')
      assert.equal(await balanceOf(setup, user.id), 550_00n)
    }
  })

  it('409 GRANT_DECIDED for the operator who rejected the grant', async () => {
    const { id, user } = await plantOpenGrant(setup)
    const reason = 'Not this time'
    const rejected = await askAs(setup, setup.owner, grantsEndpoints.declineGrant, { id, reason })
    assert.equal(rejected.statusCode, 200)
    assertRefusal(await approve(setup, setup.owner, { id }), endpoint, 'GRANT_DECIDED')
    assert.equal(await balanceOf(setup, user.id), 50_00n)
  })

  it('409 GRANT_LAPSED when the proposer is no longer active or has lost the role', async () => {
    const { owner, harness } = setup
    for (const change of [{ isActive: false }, { role: 'viewer' }]) {
      const proposer = await makeOperator(harness, 'operator')
      const { id } = await plantOpenGrant(setup, { by: proposer.id })
      const changed = { id: String(proposer.id), ...change }
      assert.equal(
        (await askAs(setup, owner, operatorsEndpoints.changeOperator, changed)).statusCode,
        200,
      )
      assertRefusal(await approve(setup, owner, { id }), endpoint, 'GRANT_LAPSED')
      assert.equal((await rowOf(setup, { id })).status, 'open')
    }
  })

  it('400 INSUFFICIENT_BALANCE when the money has been spent, and the refusal is final', async () => {
    const grant = await propose(setup, setup.operator, { kind: 'correction_out', amount: '200' })
    assert.equal(grant.status, 'open')
    for (let times = 0; times < 2; times++) {
      const response = await approve(setup, setup.owner, grant)
      assertRefusal(response, endpoint, 'INSUFFICIENT_BALANCE')
    }
    assert.equal((await rowOf(setup, grant)).status, 'refused')
    const entries = await auditOf(setup, subjectOf(grant.fields))
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['grant.propose', 'grant.approve', 'grant.refuse'],
    )
  })

  it('400 BALANCE_LIMIT for an amount above the maximum balance', async () => {
    const user = await makeUser(setup.harness.context, 999_999_999_999_999n)
    const { id } = await plantOpenGrant(setup, { user })
    assertRefusal(await approve(setup, setup.owner, { id }), endpoint, 'BALANCE_LIMIT')
  })

  it('409 WALLET_CLOSED for an account that was deleted meanwhile', async () => {
    const { context } = setup.harness
    const user = await makeUser(context)
    const { id } = await plantOpenGrant(setup, { user })
    await inTransaction(context.db, (tx) => context.ledger.closeWallet(user.walletId, tx))
    assertRefusal(await approve(setup, setup.owner, { id }), endpoint, 'WALLET_CLOSED')
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked for too long; a retry returns the outcome', async () => {
    const { context, admin, databaseUrl } = setup.harness
    const usual = context.ledger
    const impatient = new Ledger({ databaseUrl, deadlineMs: 1_000 })
    const { id, user } = await plantOpenGrant(setup)
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [user.walletId])
    try {
      context.ledger = impatient
      assertRefusal(await approve(setup, setup.owner, { id }), endpoint, 'OUTCOME_UNKNOWN')
    } finally {
      await admin.query('rollback')
      context.ledger = usual
    }
    assert.equal(
      (await approve(setup, setup.owner, { id })).json<{ balance: number }>().balance,
      550,
    )
    await impatient.close()
    assert.equal(await countPosted(setup, { id }), 1)
  })

  it('404 NOT_FOUND for an unknown grant', async () => {
    assertRefusal(await approve(setup, setup.owner, { id: randomUUID() }), endpoint, 'NOT_FOUND')
  })
})
