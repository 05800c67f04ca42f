import * as endpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { openAdminStage, type AdminStage } from '../../test/admin-setup.ts'
import { askAtDoor } from '../../test/passkey-setup.ts'
import { ask } from '../../test/account-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

describe('POST /api/admin/sign-in/passkey', () => {
  const endpoint = endpoints.beginPasskeyLogIn

  it('200 a challenge of its own each time, of which the hash is stored for five minutes', async () => {
    const [first, second] = [await askAtDoor(stage), await askAtDoor(stage)]
    assert.notEqual(first.challenge, second.challenge)
    assert.deepEqual(Object.keys(first), ['rpId', 'challenge'])
    assert.equal(first.rpId, 'localhost')
    const { rows } = await stage.harness.admin.query(
      `select purpose, log_in_id, extract(epoch from expires_at - now())::int > 290 as is_fresh
       from admin.passkey_challenges where challenge_hash = $1`,
      [hash('sha256', first.challenge, 'buffer')],
    )
    assert.deepEqual(rows, [{ purpose: 'log_in', log_in_id: null, is_fresh: true }])
  })

  it('400 PASSKEY_INVALID where the address is not known to be ours', async () => {
    for (const host of ['wallet.example', 'localhost.evil.example', '127.0.0.1', 'localhost:x']) {
      assertRefusal(await ask(stage, endpoint, {}, { host }), endpoint, 'PASSKEY_INVALID')
    }
    const elsewhere = await openAdminStage({ PUBLIC_URL: 'http://127.0.0.1:8080' })
    assertRefusal(await ask(elsewhere, endpoint), endpoint, 'PASSKEY_INVALID')
    await elsewhere.harness.end()
  })
})
