/** Queries for people use an index, so they stay fast as the table grows. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { findPendingGrant, findPendingPayment } from '../../account/queries.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import {
  countLogIns,
  findAccountOf,
  findPerson,
  findPersonByLink,
  listLinks,
  listNewestTopups,
  listPeople,
  searchFrozen,
  searchPeople,
} from './queries.ts'

describe('queries for people', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(`
      insert into directory.service_users (wallet_id) select n from generate_series(1, 20000) n;
      insert into directory.people (service_user_id, first_name, last_name, email)
        select id, 'Ada', 'Name' || id, 'p' || id || '@example.com' from directory.service_users;
      insert into directory.client_apps (client_id, name, account_id, scopes, on_mismatch)
        select 'app_' || n, 'Shop', n, '{}', 'replay' from generate_series(1, 100) n;
      insert into directory.links (public_id, client_app_id, service_user_id, wallet_id)
        select gen_random_uuid(), 1 + id % 100, id, wallet_id from directory.service_users;
      insert into directory.topups (service_user_id, wallet_id, client_app_id, amount)
        select id, wallet_id, 1 + id % 100, 100 from directory.service_users;
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

  it('list all people by the primary key, without sorting', async () => {
    for (const last of [undefined, 9_000n]) {
      const plan = await explain(listPeople({ after: last, limit: 51 }))
      assert.match(plan, /Index Scan Backward using service_users_pkey/)
      assert.doesNotMatch(plan, /Seq Scan|Sort/)
    }
  })

  it('search words by the indexes of emails and names, whether many or few match', async () => {
    for (const [emailPattern, names] of [
      ['ada%', `'ada':*`],
      ['name77%', `'name77':*`],
      ['p19999@example.com%', `'p19999@example.com':*`],
      ['nobody%', `'nobody':*`],
      ['ada name7%', `'ada':* & 'name7':*`],
    ] as const) {
      const plan = await explain(searchPeople({ emailPattern, names, after: undefined, limit: 51 }))
      assert.match(plan, /Bitmap Index Scan on people_by_email_start/)
      assert.match(plan, /Bitmap Index Scan on people_by_name/)
      assert.doesNotMatch(plan, /Seq Scan/)
    }
  })

  it('find frozen wallets by their index, with and without words', async () => {
    for (const words of [undefined, { emailPattern: 'ada%', names: `'ada':*` }]) {
      const plan = await explain(searchFrozen({ words, after: undefined, limit: 51 }))
      assert.match(plan, /Index (Only )?Scan (using|on) wallets_frozen/)
      assert.doesNotMatch(plan, /Seq Scan/)
    }
  })

  it('read one person and their data by a key', async () => {
    const statements = [
      findPerson(1n),
      findPersonByLink('00000000000000000000000000000000'),
      listLinks(1n, 100),
      listNewestTopups(1n, 10),
      countLogIns(1n, 30),
      findAccountOf('app_1'),
      findPendingGrant(1n),
      findPendingPayment(1n),
    ]
    for (const statement of statements) {
      assert.doesNotMatch(await explain(statement), /Seq Scan/)
    }
  })
})
