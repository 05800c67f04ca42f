/** Queries use an index, so they stay fast as the tables grow. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import {
  listPasskeys,
  OPERATORS,
  takeChallenge,
  usePasskey,
  type NewChallenge,
} from '../../identity/passkeys/queries.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { pruneAdminLogIns } from '../require-operator.ts'
import { findPasskey } from './passkey-queries.ts'
import { deleteOtherLogIns, listOwnLogIns, readSignInOf } from './queries.ts'

const NOBODY = '00000000-0000-0000-0000-000000000000'

describe('queries for passkeys and the operator\u2019s own sign-in', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(`
      insert into admin.operators (email, name, role, password_hash)
        select 'o' || n || '@example.com', 'Olga', 'viewer', '' from generate_series(1, 2000) n;
      insert into admin.passkeys (operator_id, credential_id, public_key, sign_count, transports, name)
        select 1 + n % 2000, sha256(n::text::bytea), '', 0, '{}', 'Phone' from generate_series(1, 8000) n;
      insert into admin.log_ins (token_hash, operator_id, address, device, expires_at)
        select sha256(n::text::bytea), 1 + n % 2000, '', '', now() + interval '8 hours' from generate_series(1, 8000) n;
      insert into admin.passkey_challenges (challenge_hash, purpose, expires_at)
        select sha256(n::text::bytea), 'log_in', now() + make_interval(mins => n % 9 - 3) from generate_series(1, 20000) n;
      analyze admin.operators; analyze admin.passkeys; analyze admin.log_ins; analyze admin.passkey_challenges`)
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
      owners: OPERATORS,
      challengeHash: Buffer.alloc(32),
      purpose: 'log_in',
      logInId: null,
    }
    const statements = [
      takeChallenge(challenge),
      takeChallenge({ ...challenge, purpose: 'confirm', logInId: NOBODY }),
      findPasskey(Buffer.alloc(32)),
      listPasskeys(OPERATORS, 1n),
      usePasskey(OPERATORS, 1n, 5),
      readSignInOf(1n),
      listOwnLogIns(1n, 15, 50),
      deleteOtherLogIns(NOBODY, 1n),
    ]
    for (const statement of statements) {
      assert.doesNotMatch(await explain(statement), /Seq Scan/)
    }
  })

  it('delete expired challenges only', async () => {
    await pruneAdminLogIns(harness.context)
    const { rows } = await harness.admin.query(
      `select count(*) filter (where expires_at < now()) = 0 as are_gone, count(*) > 9000 as are_there
       from admin.passkey_challenges`,
    )
    assert.deepEqual(rows, [{ are_gone: true, are_there: true }])
  })
})
