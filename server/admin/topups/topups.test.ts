import { listTopups as endpoint, readTopup } from '@coffer/contract/admin/topups'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askAs } from '../../test/admin-setup.ts'
import {
  openAdminTopupSetup,
  deliverAll,
  withTopup,
  type AdminTopupSetup,
} from '../../test/admin-topup-setup.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'
import { begin, chargeOf } from '../../test/topup-setup.ts'
import { refundTopup } from '../../topup/refund-topup.ts'

let setup: AdminTopupSetup
before(async () => {
  setup = await openAdminTopupSetup()
})
after(() => setup.close())

async function read(id: string) {
  const response = await askAs(setup, setup.viewer, readTopup, { id })
  assert.equal(response.statusCode, 200, response.body)
  return response.json()
}

describe('GET /api/admin/topups', () => {
  interface Page {
    topups: { id: string; isAutomatic: boolean; refunded: number; disputeStatus: string | null }[]
    nextCursor: string | null
  }
  async function list(fields: Record<string, string> = {}): Promise<Page> {
    const response = await askAs(setup, setup.viewer, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }
  const idsOf = async (fields: Record<string, string>) =>
    (await list(fields)).topups.map(({ id }) => id)

  it('200 pages through every top-up exactly once, newest first, also with equal start times', async () => {
    const { admin } = setup.harness
    const { rows } = await admin.query<{ id: string }>(
      `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, next_check_at, created_at)
        select $1, $2, $3, n, 'infinity', now() - make_interval(mins => n / 10) from generate_series(1, 120) n
        returning id`,
      [setup.user.id, setup.user.walletId, setup.app.id],
    )
    const found: string[] = []
    const personId = String(setup.user.id)
    let cursor: string | null = null
    do {
      const page: Page = await list({ personId, ...(cursor && { cursor }) })
      found.push(...page.topups.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    assert.equal(found.length, 120)
    assert.deepEqual(found.toSorted(), rows.map(({ id }) => id).toSorted())
    const times = await admin.query<{ id: string }>(
      'select id from directory.topups where service_user_id = $1 order by created_at desc, id desc',
      [setup.user.id],
    )
    assert.deepEqual(
      found,
      times.rows.map(({ id }) => id),
    )
    await admin.query('delete from directory.topups where service_user_id = $1', [setup.user.id])
  })

  it('200 returns every field of a top-up', async () => {
    const { shop, intent, id } = await withTopup(setup, 20)
    const { topups } = await list({ search: intent.paymentIntentId })
    assert.deepEqual(topups, [
      {
        id,
        state: 'credited',
        amount: 20,
        refunded: 0,
        disputeStatus: null,
        intentId: intent.paymentIntentId,
        createdAt: (await read(id)).createdAt,
        isAutomatic: false,
        person: { id: String(shop.user.id), name: 'Ada Example' },
        clientApp: { clientId: setup.app.clientId, name: 'Corner shop' },
      },
    ])
    await setup.harness.admin.query(
      'update directory.topups set is_automatic = true where id = $1',
      [id],
    )
    const [automatic] = (await list({ search: intent.paymentIntentId })).topups
    assert.equal(automatic?.isAutomatic, true)
    assert.equal((await read(id)).isAutomatic, true)
  })

  it('200 finds by state, person, client app and day, and finds refunded and disputed top-ups', async () => {
    const { context } = setup.harness
    const app = await makeClientApp(context, { name: 'Tea house' })
    const teaHouse = { ...setup, app }
    const user = await makeLinkedUser(context, app)
    const other = { ...teaHouse, user }
    const open = await begin(other)
    const refunded = await withTopup(teaHouse)
    await refundTopup(setup.tools, refunded.id, 5_00n)
    const disputed = await withTopup(teaHouse)
    setup.sandbox.openDispute(chargeOf(disputed.shop, disputed.intent))
    await deliverAll(disputed.shop, disputed.intent)
    const { clientId } = app
    const openId = (await list({ search: open.paymentIntentId })).topups[0]?.id
    const newestFirst = [disputed.id, refunded.id, openId]
    assert.deepEqual(await idsOf({ clientId }), newestFirst)
    assert.deepEqual(await idsOf({ clientId, state: 'open' }), [openId])
    assert.deepEqual(await idsOf({ clientId, state: 'credited' }), [disputed.id, refunded.id])
    assert.deepEqual(await idsOf({ clientId, state: 'ended' }), [])
    assert.deepEqual(await idsOf({ personId: String(user.id) }), [openId])
    const today = new Date().toISOString().slice(0, 10)
    assert.deepEqual(await idsOf({ clientId, from: today, to: today }), newestFirst)
    assert.deepEqual(await idsOf({ clientId, to: '2020-01-01' }), [])
    assert.deepEqual(await idsOf({ clientId, having: 'refund' }), [refunded.id])
    assert.deepEqual(await idsOf({ clientId, having: 'dispute' }), [disputed.id])
    const [first, second] = (await list({ clientId })).topups
    assert.equal(first?.disputeStatus, 'needs_response')
    assert.equal(second?.refunded, 5)
  })

  it('200 finds by the id of a refund, a dispute or the top-up itself, and by email', async () => {
    const { shop, intent, id } = await withTopup(setup)
    const { id: refundId } = await refundTopup(setup.tools, id, 1_00n)
    const { id: disputeId } = setup.sandbox.openDispute(chargeOf(shop, intent))
    await deliverAll(shop, intent)
    const [refund] = (await read(id)).refunds
    const { rows } = await setup.harness.admin.query<{ email: string }>(
      'select upper(email) as email from directory.people where service_user_id = $1',
      [shop.user.id],
    )
    const words = [id, refundId, refund.processorId, disputeId, ` ${intent.paymentIntentId} `]
    for (const search of [...words, rows[0]?.email ?? '']) {
      assert.deepEqual(await idsOf({ search }), [id], search)
    }
    for (const search of ['pi_unknown', randomUUID(), 'nobody@example.com', '%', `'`]) {
      assert.deepEqual(await idsOf({ search }), [], search)
    }
  })
})
