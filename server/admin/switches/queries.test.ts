/** Queries of the switches stay fast as the number of client apps and old secrets grows. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { startHarness, type Harness } from '../../test/harness.ts'
import { setAppPause } from '../app-pause-queries.ts'
import { COUNT_SECRETS, listOutdatedSecrets, lockAppPause } from './queries.ts'

describe('queries of the switches', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(`
      insert into directory.client_apps (client_id, name, account_id, scopes, on_mismatch)
        select 'app_' || lpad(to_hex(n), 24, '0'), 'Shop ' || n, n, '{}', 'replay' from generate_series(1, 1000) n;
      insert into directory.client_secrets (client_app_id, hmac, pepper_id, revoked_at)
        select a.id, sha256(n::text::bytea), 'p' || n % 3, case when n > 2 then now() end
        from directory.client_apps a, generate_series(1, 40) n;
      insert into admin.secret_uses (secret_id) select id from directory.client_secrets where revoked_at is null;
      analyze directory.client_apps; analyze directory.client_secrets; analyze admin.secret_uses`)
  })
  after(() => harness.end())

  async function explain({ text, values }: pg.QueryConfig) {
    const { rows } = await harness.context.db.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off) ${text}`,
      values,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const [, ms = 'NaN'] = /Execution Time: ([\d.]+) ms/.exec(plan) ?? []
    return { plan, ms: Number(ms) }
  }

  it('read keys by the index of active secrets, independent of the number of revoked ones', async () => {
    for (const statement of [COUNT_SECRETS, listOutdatedSecrets(['p1'], 100)]) {
      const { plan, ms } = await explain(statement)
      assert.match(plan, /client_secrets_live_by_pepper/)
      assert.doesNotMatch(plan, /Seq Scan/)
      assert(ms < 200, `${ms} ms`)
    }
  })

  it('read the pause of an app by its clientId', async () => {
    const pause = { by: 'ada@example.com', reason: 'a test' }
    for (const statement of [lockAppPause('app_1'), setAppPause('app_1', pause)]) {
      assert.doesNotMatch((await explain(statement)).plan, /Seq Scan/)
    }
  })
})
