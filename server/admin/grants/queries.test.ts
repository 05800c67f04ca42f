/** Queries for grants use an index, so they stay fast as the table grows. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { startHarness, type Harness } from '../../test/harness.ts'
import { sumWithoutSecond } from '../second-operator-queries.ts'
import { findApproved, lockGrant } from './queries.ts'
import { searchGrants, type GrantSearch } from './search-queries.ts'

describe('queries for grants', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(`
      insert into admin.operators (email, name, role, password_hash)
        select n || '@example.com', 'N', 'operator', '' from generate_series(1, 20) n;
      insert into directory.service_users (wallet_id) select n from generate_series(1, 1000) n;
      insert into admin.grants (id, service_user_id, wallet_id, kind, amount, reason, needs_second, status,
          proposed_by, proposed_at, second_operator, decided_at)
        select gen_random_uuid(), u.id, u.wallet_id, 'bonus', 100, 'Reason ' || n, n % 100 = 0,
          case when n % 1000 = 0 then 'open' else 'posted' end,
          (select min(id) from admin.operators) + n % 19, now() - make_interval(mins => n),
          case when n % 100 = 0 and n % 1000 > 0 then (select max(id) from admin.operators) end,
          case when n % 1000 > 0 then now() - make_interval(mins => n) end
        from generate_series(1, 20000) n
        join directory.service_users u on u.wallet_id = 1 + n % 1000;
      analyze admin.grants; analyze admin.operators; analyze directory.service_users`)
  })
  after(() => harness.end())

  async function explain({ text, values }: pg.QueryConfig): Promise<string> {
    const { rows } = await harness.context.db.query<{ 'QUERY PLAN': string }>(
      `explain ${text}`,
      values,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const search = (filter: Partial<GrantSearch>) =>
    explain(
      searchGrants({
        state: undefined,
        userId: undefined,
        pattern: undefined,
        after: undefined,
        limit: 51,
        ...filter,
      }),
    )

  it('read lists from an index by time, without sorting', async () => {
    for (const last of [undefined, randomUUID()]) {
      for (const [filter, index] of [
        [{}, 'grants_by_time'],
        [{ state: 'decided' }, 'grants_by_time'],
        [{ state: 'waiting' }, 'grants_waiting'],
      ] as const) {
        const plan = await search({ ...filter, after: last })
        assert.match(plan, new RegExp(`Index Scan Backward using ${index} on grants g`), plan)
        assert.doesNotMatch(plan, /Seq Scan|Sort/)
      }
    }
    assert.doesNotMatch(await search({ pattern: '%reason 77%' }), /Seq Scan/)
    // One person has few grants, so sorting is acceptable.
    const plan = await search({ userId: 7n })
    assert.match(plan, /grants_by_person/)
    assert.doesNotMatch(plan, /Seq Scan/)
  })

  it('use an index for the sum of 24 hours, unfinished grants and a single grant', async () => {
    const sum = await explain(sumWithoutSecond([1n, 2n, 3n]))
    assert.match(sum, /grants_without_second/)
    assert.match(await explain(findApproved(100)), /grants_waiting/)
    for (const plan of [sum, await explain(lockGrant(randomUUID()))]) {
      assert.doesNotMatch(plan, /Seq Scan/)
    }
  })
})
