import * as endpoints from '@coffer/contract/admin/grants'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  makeNewOperator,
  makeOperator,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { makeUser } from '../../test/factories.ts'
import {
  addOperator,
  approve,
  readGrant,
  plantOpenGrant,
  propose,
  rowOf,
  subjectOf,
  type Listed,
} from '../../test/grant-setup.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

interface Page {
  grants: Listed[]
  left: number
  nextCursor: string | null
}

describe('GET /api/admin/grants', () => {
  const endpoint = endpoints.listGrants
  const read = async (fields: Record<string, string> = {}) =>
    (await askAs(setup, setup.viewer, endpoint, fields)).json<Page>()

  it('200 returns every field of a grant, open and decided', async () => {
    const { operator, owner } = setup
    const { id, fields } = await propose(setup, operator, { amount: '100.01' })
    const personId = String(fields['personId'])
    const [open] = (await read({ state: 'waiting', personId })).grants
    const { proposedAt, approvers, person, ...others } = open ?? assert.fail()
    assert(Math.abs(Date.parse(proposedAt) - Date.now()) < 60_000)
    assert.deepEqual([person?.id, person?.name], [personId, 'Ada Example'])
    assert.deepEqual(approvers, [owner.email])
    assert.deepEqual(others, {
      id,
      kind: 'bonus',
      amount: 100.01,
      currency: 'USD',
      reason: 'Paid twice, ticket 4711',
      status: 'open',
      clientApp: null,
      changes: [],
      proposedBy: operator.email,
      secondOperator: null,
      decidedAt: null,
      declinedBecause: null,
      refusal: null,
      approvalBlockedBy: 'role',
      sharedWith: null,
    })
    assert.deepEqual((await read({ state: 'decided', personId })).grants, [])
    await approve(setup, owner, { id })
    assert.deepEqual((await read({ state: 'waiting', personId })).grants, [])
    const [decided] = (await read({ state: 'decided', personId })).grants
    assert.deepEqual([decided?.status, decided?.secondOperator], ['posted', owner.email])
    assert.deepEqual([decided?.approvalBlockedBy, decided?.approvers], [null, []])
  })

  it('200 returns the reason why this operator cannot approve, the same as an approval would', async () => {
    const { owner, operator, viewer, harness } = setup
    const child = await addOperator(setup, owner, 'operator')
    const { id, user } = await plantOpenGrant(setup, { by: child.id })
    const blockOf = async (who: typeof owner) => {
      const { approvalBlockedBy, sharedWith } = await readGrant(setup, who, { id })
      return [approvalBlockedBy, sharedWith]
    }
    const sibling = await addOperator(setup, owner, 'operator')
    assert.deepEqual(await blockOf(child), ['own', null])
    assert.deepEqual(await blockOf(viewer), ['role', null])
    assert.deepEqual(await blockOf(owner), ['related', owner.email])
    assert.deepEqual(await blockOf(sibling), ['related', owner.email])
    assert.deepEqual(await blockOf(operator), [null, null])
    const { approvers } = await readGrant(setup, viewer, { id })
    assert(approvers.includes(operator.email))
    assert(![owner, child, sibling].some(({ email }) => approvers.includes(email)))
    await harness.admin.query('update admin.operators set is_active = false where id = $1', [
      child.id,
    ])
    assert.deepEqual(await blockOf(operator), ['proposer_inactive', null])
    await harness.admin.query('update admin.operators set is_active = true where id = $1', [
      child.id,
    ])
    await harness.admin.query('delete from directory.people where service_user_id = $1', [user.id])
    assert.deepEqual(await blockOf(operator), ['person_gone', null])
    assert.deepEqual((await readGrant(setup, operator, { id })).person, {
      id: String(user.id),
      name: null,
      email: null,
    })
  })

  it('200 pages through every grant exactly once, newest first', async () => {
    const user = await makeUser(setup.harness.context)
    const by = (await makeNewOperator(setup.harness, 'operator')).id
    for (let count = 0; count < 120; count++) await plantOpenGrant(setup, { by, user })
    // Many grants have the same time, so the id determines the order.
    await setup.harness.admin.query(
      `update admin.grants set proposed_at = date_trunc('minute', now()) where service_user_id = $1`,
      [user.id],
    )
    const found: Listed[] = []
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const page: Page = await read({ personId: String(user.id), ...(cursor && { cursor }) })
      found.push(...page.grants)
      cursor = page.nextCursor
    }
    assert.deepEqual([pages, new Set(found.map(({ id }) => id)).size], [3, 120])
    const order = found.map(({ proposedAt, id }) => `${proposedAt} ${id}`)
    assert.deepEqual(order, order.toSorted().toReversed())
  })

  it('200 searches the reason, the operators and the person', async () => {
    const proposer = await makeOperator(setup.harness, 'operator')
    const word = `w${randomUUID()}`
    const { id, fields } = await propose(setup, proposer, { reason: `Because of ${word} 100%_x` })
    const [mine] = (await read({ personId: String(fields['personId']) })).grants
    const words = [word, word.toUpperCase(), '100%_x', proposer.email, mine?.person?.email ?? '']
    for (const search of words) {
      const { grants } = await read({ search })
      assert.deepEqual(
        grants.map((each) => each.id),
        [id],
        search,
      )
    }
    assert.deepEqual((await read({ search: `${word}%` })).grants, [])
  })
})

describe('POST /api/admin/grants/decline', () => {
  const endpoint = endpoints.declineGrant

  it('200 withdraws for the proposer, rejects for any other operator, related or not, and moves no money', async () => {
    const { owner, operator } = setup
    const child = await addOperator(setup, owner, 'operator')
    for (const [who, status, action] of [
      [child, 'withdrawn', 'grant.withdraw'],
      [owner, 'rejected', 'grant.reject'],
      [operator, 'rejected', 'grant.reject'],
    ] as const) {
      const grant = await propose(setup, child, { amount: '100.01' })
      const fields = { id: grant.id, reason: ' Nobody paid twice ' }
      for (let times = 0; times < 2; times++) {
        const response = await askAs(setup, who, endpoint, fields)
        assert.equal(response.statusCode, 200, response.body)
      }
      const shown = await readGrant(setup, setup.viewer, grant)
      assert.deepEqual([shown.status, shown.declinedBecause], [status, 'Nobody paid twice'])
      const [, entry, ...others] = await auditOf(setup, subjectOf(grant.fields))
      assert.deepEqual(others, [])
      assert.deepEqual([entry?.action, entry?.actor], [action, who.email])
      const { proposedBy, reason, because } = (entry?.after ?? {}) as Record<string, string>
      assert.deepEqual(
        [proposedBy, reason, because],
        [child.email, 'Paid twice, ticket 4711', 'Nobody paid twice'],
      )
      const repeat = await askAs(setup, child, endpoints.proposeGrant, grant.fields)
      assert.deepEqual(repeat.json(), { status, balance: null, currency: 'USD', approvers: [] })
    }
  })

  it('409 GRANT_DECIDED when the grant is posted, or declined by another operator', async () => {
    const posted = await propose(setup, setup.operator, { amount: '1' })
    const declined = await plantOpenGrant(setup)
    const reason = 'Too late'
    await askAs(setup, setup.operator, endpoint, { id: declined.id, reason })
    await changesNothing(setup, async () => {
      for (const { id } of [posted, declined]) {
        const response = await askAs(setup, setup.owner, endpoint, { id, reason })
        assertRefusal(response, endpoint, 'GRANT_DECIDED')
      }
      const late = await approve(setup, setup.owner, declined)
      assertRefusal(late, endpoints.approveGrant, 'GRANT_DECIDED')
    })
    assert.equal((await rowOf(setup, posted)).status, 'posted')
  })

  it('404 NOT_FOUND for an unknown grant', async () => {
    const fields = { id: randomUUID(), reason: 'Not there' }
    assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
  })
})
