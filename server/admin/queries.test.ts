/** Queries use an index, so they stay fast as the tables grow. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { findMismatches } from '../ledger/read/mismatch-queries.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { searchAudit } from './audit/queries.ts'
import { findApp, listSecrets, listSeen, searchApps } from './client-apps/queries.ts'
import { findLogIn } from './log-in-queries.ts'
import { findHolders, findOwner, findOwnerByAccount, findOwners } from './operations/queries.ts'
import { findOperatorByEmail } from './sign-in/queries.ts'

describe('queries of the admin module', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(`
      insert into directory.client_apps (client_id, name, account_id, scopes, on_mismatch)
        select 'app_' || lpad(to_hex(n), 24, '0'), 'Shop ' || n, n, '{}', 'replay' from generate_series(1, 5000) n;
      alter table admin.audit disable trigger chain_new_entry;
      insert into admin.audit (at, actor, action, subject)
        select now() - make_interval(mins => n), 'a@example.com', 'test.plan', 's' || n from generate_series(1, 20000) n;
      alter table admin.audit enable trigger chain_new_entry;
      insert into directory.service_users (id, wallet_id) overriding system value
        select n, n from generate_series(1, 5000) n;
      insert into directory.people (service_user_id, first_name, last_name, email)
        select n, 'Ada', 'Example', n || '@example.com' from generate_series(1, 5000) n;
      insert into ledger.mismatches (digest, kind, amount, differs)
        select md5(n::text)::uuid, 'debit', 1, '{amount}' from generate_series(1, 5000) n;
      analyze`)
  })
  after(() => harness.end())

  async function explain({ text, values }: pg.QueryConfig): Promise<string> {
    const { rows } = await harness.context.db.query<{ 'QUERY PLAN': string }>(
      `explain ${text}`,
      values,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it('list client apps by the primary key, without sorting', async () => {
    const clientId = `app_${(4_000).toString(16).padStart(24, '0')}`
    for (const last of [undefined, clientId]) {
      for (const pattern of [undefined, '%shop 1%']) {
        const plan = await explain(searchApps({ pattern, isActive: true, after: last, limit: 51 }))
        assert.match(plan, /Index Scan Backward using client_apps_pkey/)
        assert.doesNotMatch(plan, /Seq Scan|Sort/)
      }
    }
  })

  it('list paused client apps by the primary key, without sorting', async () => {
    const paused = { pattern: undefined, isActive: undefined, isPaused: true, after: undefined }
    const plan = await explain(searchApps({ ...paused, limit: 51 }))
    assert.match(plan, /Index Scan Backward using client_apps_pkey/)
    assert.doesNotMatch(plan, /Seq Scan|Sort/)
  })

  it('list audit entries by the index of times, without sorting', async () => {
    for (const last of [undefined, 5_000n]) {
      for (const pattern of [undefined, '%s77%']) {
        const days = { from: new Date('2020-01-01'), before: new Date() }
        const plan = await explain(searchAudit({ pattern, ...days, after: last, limit: 51 }))
        // For a rare word the planner may choose a bitmap scan, which sorts the few matching rows.
        assert.match(plan, /Index Scan (Backward using|on) audit_by_time/)
        assert.doesNotMatch(plan, pattern === undefined ? /Seq Scan|Sort/ : /Seq Scan/)
      }
    }
  })

  it('read single rows by their key', async () => {
    const statements = [
      findApp('app_1'),
      listSecrets(1n),
      listSeen(1n),
      findLogIn(Buffer.alloc(32), 15, 5),
      findOperatorByEmail('a@example.com'),
      findOwner('app_1'),
      findOwnerByAccount(7),
      findOwners([7, 8]),
      findHolders([1n, 2n, 3n]),
      findMismatches('0'.repeat(32), 101),
    ]
    for (const statement of statements) {
      assert.doesNotMatch(await explain(statement), /Seq Scan/)
    }
  })
})
