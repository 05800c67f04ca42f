/** Queries use an index, so they stay fast as the tables grow. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { startHarness, type Harness } from '../../test/harness.ts'
import {
  claimAlerts,
  deleteDueEmails,
  FIND_ALERT_START,
  listAlerts,
  listPayments,
  noteBalances,
  notePayments,
  readDueEmail,
} from './queries.ts'

describe('queries for alerts', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    await harness.admin.query(`
      insert into ledger.wallets (balance) select 0 from generate_series(1, 20000);
      insert into directory.service_users (wallet_id) select id from ledger.wallets;
      insert into directory.people (service_user_id, first_name, last_name, email)
        select id, 'Ada', 'Example', id || '@example.com' from directory.service_users;
      insert into directory.alerts (service_user_id, kind, wallet_id, threshold, after_seq)
        select u.id, kind, u.wallet_id, 100, 0
        from directory.service_users u, unnest('{payment,balance}'::text[]) kind;
      insert into directory.alert_emails (service_user_id, kind, seq, operation_at)
        select service_user_id, kind, 1, now() from directory.alerts order by service_user_id limit 20;
      analyze ledger.wallets; analyze directory.service_users; analyze directory.people; analyze directory.alerts;
      analyze directory.alert_emails`)
  })
  after(() => harness.end())

  async function explain({ text, values }: pg.QueryConfig): Promise<string> {
    const { rows } = await harness.context.db.query<{ 'QUERY PLAN': string }>(
      `explain ${text}`,
      values,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  const period = { from: new Date(Date.now() - 5_000), before: new Date() }
  const alert = { userId: 1n, kind: 'payment' } as const
  const QUERIES: Record<string, pg.QueryConfig> = {
    findAlertStart: FIND_ALERT_START,
    listAlerts: listAlerts(1n),
    notePayments: notePayments(period),
    noteBalances: noteBalances(period),
    claimAlerts: claimAlerts(10, 10),
    readDueEmail: readDueEmail(alert),
    listPayments: listPayments(1n, 5n, 10),
    deleteDueEmails: deleteDueEmails(alert, 1n),
  }
  for (const [name, query] of Object.entries(QUERIES)) {
    it(`${name} does not read all alerts, people or wallets`, async () => {
      const plan = await explain(query)
      assert.doesNotMatch(plan, /Seq Scan on (alerts|people|wallets|service_users)/, plan)
    })
  }
})
