/** Queries for top-ups use an index, so they stay fast as the table grows. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { startHarness, type Harness } from '../../test/harness.ts'
import { claimDueRefunds } from '../../topup/refund-queries.ts'
import {
  findRefund,
  findTopup,
  listDisputes,
  listFees,
  listRefunds,
  searchTopups,
  type TopupSearch,
} from './queries.ts'

const EVERYTHING: TopupSearch = {
  search: undefined,
  status: undefined,
  having: undefined,
  personId: undefined,
  clientId: undefined,
  from: undefined,
  before: undefined,
  after: undefined,
  limit: 51,
}
const CLIENT_ID = `app_${'7'.padStart(24, '0')}`

describe('queries for top-ups', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(`
      insert into directory.client_apps (client_id, name, account_id, scopes, on_mismatch)
        select 'app_' || lpad(to_hex(n), 24, '0'), 'Shop ' || n, n, '{}', 'replay' from generate_series(1, 1000) n;
      insert into directory.service_users (id, wallet_id) overriding system value
        select n, n from generate_series(1, 5000) n;
      insert into directory.people (service_user_id, first_name, last_name, email)
        select n, 'Ada', 'Example', n || '@example.com' from generate_series(1, 5000) n;
      insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, intent_id, status, created_at)
        select 1 + n % 5000, 1 + n % 5000, (select min(id) from directory.client_apps) + n % 1000, 100, 'pi_' || n,
          case when n % 100 = 0 then 'open' when n % 3 = 0 then 'ended' else 'credited' end,
          now() - make_interval(mins => n) from generate_series(1, 40000) n;
      insert into directory.refunds (topup_id, amount, status, stripe_id)
        select id, 100, 'sent', 're_' || intent_id from directory.topups where status = 'credited' limit 2000;
      insert into directory.disputes (id, topup_id, amount, status, reason, opened_at, withdrawals, reinstatements,
          asked_at)
        select 'du_' || intent_id, id, 100, 'lost', 'general', now(), '{}', '{}', now()
        from directory.topups where status = 'credited' limit 1000;
      insert into directory.processor_fees (id, source, amount, currency, topup_id)
        select 'txn_' || id, 'ch_1', 5, 'USD', id from directory.topups;
      analyze`)
  })
  after(() => harness.end())

  async function assertIndexed({ text, values }: pg.QueryConfig) {
    const explained = await harness.context.db.query<{ 'QUERY PLAN': string }>(
      `explain ${text}`,
      values,
    )
    const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.doesNotMatch(plan, /Seq Scan/, `${text}\n${values?.join()}`)
    return plan
  }

  it('use an index for every filter, on the first page and later ones', async () => {
    const { rows } = await harness.admin.query<{ id: string }>(
      'select id from directory.topups order by created_at limit 1 offset 20000',
    )
    const days = { from: new Date(Date.now() - 1e9), before: new Date() }
    const filters: Partial<TopupSearch>[] = [
      {},
      { status: 'open' },
      { status: 'credited' },
      { status: 'ended', ...days },
      { having: 'refund' },
      { having: 'dispute', status: 'open' },
      { personId: 77n },
      { clientId: CLIENT_ID },
      { clientId: CLIENT_ID, having: 'dispute', ...days },
      days,
      { search: { as: 'email', text: '77@example.com' } },
      { search: { as: 'uuid', text: randomUUID() } },
      { search: { as: 'id', text: 'pi_77' } },
    ]
    for (const filter of filters) {
      for (const last of [undefined, rows[0]?.id]) {
        await assertIndexed(searchTopups({ ...EVERYTHING, ...filter, after: last }))
      }
    }
  })

  it('read the common lists from an index in the order of the page', async () => {
    const walks: [Partial<TopupSearch>, RegExp][] = [
      [{}, /Index Scan Backward using topups_by_time/],
      [{ having: 'refund' }, /Index Scan Backward using topups_refunded/],
      [{ having: 'dispute' }, /Index Scan Backward using topups_disputed/],
    ]
    for (const [filter, walk] of walks) {
      assert.match(await assertIndexed(searchTopups({ ...EVERYTHING, ...filter })), walk)
    }
  })

  it('read single rows by their key', async () => {
    const statements = [
      findTopup(randomUUID()),
      findRefund(randomUUID()),
      listRefunds(randomUUID()),
      listDisputes(randomUUID()),
      listFees(randomUUID()),
      claimDueRefunds(10),
    ]
    for (const statement of statements) await assertIndexed(statement)
  })
})
