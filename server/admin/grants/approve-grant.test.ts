import * as grantsEndpoints from '@coffer/contract/admin/grants'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Ledger } from '../../ledger/ledger.ts'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminStage,
  statusesOf,
  type AdminStage,
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

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(async () => {
  await assertGrantBooks(stage)
  await stage.harness.end()
})
const fieldsOf = async (there: AdminStage) => ({ id: (await plantOpenGrant(there)).id })

describe('POST /api/admin/grants/approve', () => {
  const endpoint = grantsEndpoints.approveGrant

  it('200 posts it once, and the log shows both operators and the reason', async () => {
    const { operator, owner } = stage
    const grant = await propose(stage, operator, { amount: '100.01' })
    assert.deepEqual([grant.status, grant.balance], ['open', null])
    assert(grant.approvers.includes(owner.email) && !grant.approvers.includes(operator.email))
    assert.equal(await balanceOf(stage, grant.fields['personId']), 50_00n)
    const response = await approve(stage, owner, grant)
    const posted = { status: 'posted', balance: 150.01, currency: 'USD', approvers: [] }
    assert.deepEqual(response.json(), posted)
    const again = await approve(stage, owner, grant)
    assert.equal(again.body, response.body)
    assert.equal(await countPosted(stage, grant), 1)
    const [proposed, approved, ...others] = await auditOf(stage, subjectOf(grant.fields))
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
    const repeat = await askAs(stage, operator, grantsEndpoints.proposeGrant, grant.fields)
    assert.deepEqual(repeat.json(), posted)
  })

  it('403 SECOND_OPERATOR_REQUIRED for the one who proposed it', async () => {
    const { id } = await plantOpenGrant(stage, { by: stage.owner.id })
    await changesNothing(stage, async () => {
      assertRefusal(await approve(stage, stage.owner, { id }), endpoint, 'SECOND_OPERATOR_REQUIRED')
    })
  })

  it('409 GRANT_DECIDED for the second of two who approve at once, and it is posted once', async () => {
    const other = await makeOperator(stage.harness, 'operator')
    for (let round = 0; round < 5; round++) {
      const { id, user } = await plantOpenGrant(stage)
      const answers = await Promise.all([
        approve(stage, stage.owner, { id }),
        approve(stage, other, { id }),
      ])
      assert.deepEqual(statusesOf(answers), [200, 409])
      const late = answers.find(({ statusCode }) => statusCode === 409) ?? assert.fail()
      assertRefusal(late, endpoint, 'GRANT_DECIDED')
      assert.equal(await balanceOf(stage, user.id), 550_00n)
    }
  })

  it('409 GRANT_DECIDED for whoever comes second of an approval and a rejection', async () => {
    const other = await makeOperator(stage.harness, 'operator')
    for (let round = 0; round < 10; round++) {
      const { id, user } = await plantOpenGrant(stage)
      const decline = () =>
        askAs(stage, other, grantsEndpoints.declineGrant, { id, reason: 'Not twice' })
      const calls = [() => approve(stage, stage.owner, { id }), decline]
      const order = round % 2 === 0 ? calls : calls.toReversed()
      assert.deepEqual(statusesOf(await Promise.all(order.map((call) => call()))), [200, 409])
      const { status } = await rowOf(stage, { id })
      assert.equal(await balanceOf(stage, user.id), status === 'posted' ? 550_00n : 50_00n)
    }
  })

  it('409 GRANT_LAPSED when the proposer is not active any more or has lost the role', async () => {
    const { owner, harness } = stage
    for (const change of [{ isActive: false }, { role: 'viewer' }]) {
      const proposer = await makeOperator(harness, 'operator')
      const { id } = await plantOpenGrant(stage, { by: proposer.id })
      const changed = { id: String(proposer.id), ...change }
      assert.equal(
        (await askAs(stage, owner, operatorsEndpoints.changeOperator, changed)).statusCode,
        200,
      )
      assertRefusal(await approve(stage, owner, { id }), endpoint, 'GRANT_LAPSED')
      assert.equal((await rowOf(stage, { id })).status, 'open')
    }
  })

  it('409 GRANT_LAPSED when the person deleted the account', async () => {
    const { id, user } = await plantOpenGrant(stage)
    await stage.harness.admin.query('delete from directory.people where service_user_id = $1', [
      user.id,
    ])
    assertRefusal(await approve(stage, stage.owner, { id }), endpoint, 'GRANT_LAPSED')
  })

  it('400 INSUFFICIENT_BALANCE when the money is spent meanwhile, and it stays refused', async () => {
    const grant = await propose(stage, stage.operator, { kind: 'correction_out', amount: '200' })
    assert.equal(grant.status, 'open')
    for (let times = 0; times < 2; times++) {
      const response = await approve(stage, stage.owner, grant)
      assertRefusal(response, endpoint, 'INSUFFICIENT_BALANCE')
    }
    assert.equal((await rowOf(stage, grant)).status, 'refused')
    const entries = await auditOf(stage, subjectOf(grant.fields))
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['grant.propose', 'grant.approve', 'grant.refuse'],
    )
  })

  it('400 BALANCE_LIMIT for more than a wallet can hold', async () => {
    const user = await makeUser(stage.harness.context, 999_999_999_999_999n)
    const { id } = await plantOpenGrant(stage, { user })
    assertRefusal(await approve(stage, stage.owner, { id }), endpoint, 'BALANCE_LIMIT')
  })

  it('503 OUTCOME_UNKNOWN when the wallet is held too long, and a retry tells', async () => {
    const { context, admin, databaseUrl } = stage.harness
    const usual = context.ledger
    const impatient = new Ledger({ databaseUrl, deadlineMs: 1_000 })
    const { id, user } = await plantOpenGrant(stage)
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [user.walletId])
    try {
      context.ledger = impatient
      assertRefusal(await approve(stage, stage.owner, { id }), endpoint, 'OUTCOME_UNKNOWN')
    } finally {
      await admin.query('rollback')
      context.ledger = usual
    }
    assert.equal(
      (await approve(stage, stage.owner, { id })).json<{ balance: number }>().balance,
      550,
    )
    await impatient.close()
    assert.equal(await countPosted(stage, { id }), 1)
  })

  it('404 NOT_FOUND for what nobody proposed', async () => {
    assertRefusal(await approve(stage, stage.owner, { id: randomUUID() }), endpoint, 'NOT_FOUND')
  })

  it('400 INVALID_REQUEST for what does not fit', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['id', 'one'],
      ['id', undefined],
    ]))
})
