/** Queries use an index, so they stay fast as the tables grow. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { startHarness, type Harness } from '../../test/harness.ts'
import { prunePasskeyChallenges } from './create-challenge.ts'
import {
  deletePasskey,
  deletePasskeysOf,
  findPersonPasskey,
  listOwnPasskeys,
  listPasskeys,
  markCopied,
  PEOPLE,
  takeChallenge,
  usePasskey,
  type NewChallenge,
} from './queries.ts'

const NOBODY = '00000000-0000-0000-0000-000000000000'

describe('queries for the passkeys of people', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(`
      insert into ledger.wallets (balance) select 0 from generate_series(1, 2000);
      insert into directory.service_users (wallet_id) select id from ledger.wallets;
      insert into directory.people (service_user_id, first_name, last_name, email)
        select id, 'Ada', 'Example', id || '@example.com' from directory.service_users;
      insert into directory.passkeys (service_user_id, credential_id, public_key, sign_count, transports, name)
        select p.service_user_id, sha256((p.service_user_id || ' ' || n)::bytea), '', 0, '{}', 'Phone'
        from directory.people p, generate_series(1, 4) n;
      insert into directory.passkey_challenges (challenge_hash, purpose, expires_at)
        select sha256(n::text::bytea), 'log_in', now() + make_interval(mins => n % 9 - 3) from generate_series(1, 20000) n;
      analyze directory.people; analyze directory.passkeys; analyze directory.passkey_challenges`)
  })
  after(() => harness.end())

  async function explain({ text, values }: pg.QueryConfig): Promise<string> {
    const { rows } = await harness.context.db.query<{ 'QUERY PLAN': string }>(
      `explain ${text}`,
      values,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it('never scan a whole table', async () => {
    const challenge: NewChallenge = {
      owners: PEOPLE,
      challengeHash: Buffer.alloc(32),
      purpose: 'log_in',
      logInId: null,
    }
    const statements = [
      takeChallenge(challenge),
      takeChallenge({ ...challenge, purpose: 'add', logInId: NOBODY }),
      findPersonPasskey(Buffer.alloc(32)),
      listOwnPasskeys(1n),
      listPasskeys(PEOPLE, 1n),
      usePasskey(PEOPLE, 1n, 5),
      markCopied(1n),
      deletePasskey(PEOPLE, 1n, 1n),
      deletePasskeysOf(1n),
    ]
    for (const statement of statements) {
      assert.doesNotMatch(await explain(statement), /Seq Scan/)
    }
  })

  it('delete expired challenges only', async () => {
    await prunePasskeyChallenges(harness.context.db)
    const { rows } = await harness.admin.query(
      `select count(*) filter (where expires_at < now()) = 0 as are_gone, count(*) > 9000 as are_there
       from directory.passkey_challenges`,
    )
    assert.deepEqual(rows, [{ are_gone: true, are_there: true }])
  })
})
