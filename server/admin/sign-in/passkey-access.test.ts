import * as endpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { requestLogInChallenge } from '../../test/passkey-setup.ts'
import { ask } from '../../test/account-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

describe('POST /api/admin/sign-in/passkey', () => {
  const endpoint = endpoints.beginPasskeyLogIn

  it('200 returns a new challenge each time and stores its hash for five minutes', async () => {
    const [first, second] = [await requestLogInChallenge(setup), await requestLogInChallenge(setup)]
    assert.notEqual(first.challenge, second.challenge)
    assert.deepEqual(Object.keys(first), ['rpId', 'challenge'])
    assert.equal(first.rpId, 'localhost')
    const { rows } = await setup.harness.admin.query(
      `select purpose, log_in_id, extract(epoch from expires_at - now())::int > 290 as is_fresh
       from admin.passkey_challenges where challenge_hash = $1`,
      [hash('sha256', first.challenge, 'buffer')],
    )
    assert.deepEqual(rows, [{ purpose: 'log_in', log_in_id: null, is_fresh: true }])
  })

  it('400 PASSKEY_INVALID on an unknown host or an IP address', async () => {
    for (const host of ['wallet.example', 'localhost.evil.example', '127.0.0.1', 'localhost:x']) {
      assertRefusal(await ask(setup, endpoint, {}, { host }), endpoint, 'PASSKEY_INVALID')
    }
    const elsewhere = await openAdminSetup({ PUBLIC_URL: 'http://127.0.0.1:8080' })
    assertRefusal(await ask(elsewhere, endpoint), endpoint, 'PASSKEY_INVALID')
    await elsewhere.harness.end()
  })
})
