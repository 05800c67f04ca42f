/** ALLOW_HTTP_LOGIN: WebKit keeps no `Secure` cookie of a page over HTTP, so nobody could log in there. */
import { logInToAccount, logOut, readAccount } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../config.ts'
import { ask, openPersonSetup, type PersonSetup } from '../test/account-setup.ts'
import { testEnv } from '../test/harness.ts'
import { assertRefusal } from '../test/setup.ts'
import { PASSWORD } from '../test/sign-in.ts'

describe('ALLOW_HTTP_LOGIN=true', () => {
  let setup: PersonSetup
  before(async () => {
    setup = await openPersonSetup({ ALLOW_HTTP_LOGIN: 'true' })
  })
  after(() => setup.harness.end())

  it('200 sets cookies that browsers keep over HTTP, and accepts them', async () => {
    const { harness, person } = setup
    const fields = { email: person.email, password: PASSWORD }
    const response = await ask({ harness }, logInToAccount, fields)
    const cookies = [response.headers['set-cookie']].flat().map(String)
    assert.match(cookies[0] ?? '', /^coffer=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.match(cookies[1] ?? '', /^coffer-device=.*; Path=\/; HttpOnly; SameSite=Strict$/)
    const [cookie = ''] = (cookies[0] ?? '').split(';')
    const again = { harness, person: { cookie } }
    assert.equal((await ask(again, readAccount)).statusCode, 200)
    const left = await ask(again, logOut)
    assert.match(String(left.headers['set-cookie']), /^coffer=; Max-Age=0; Path=\/; HttpOnly; Same/)
    assertRefusal(await ask(again, readAccount), readAccount, 'LOGIN_REQUIRED')
  })

  it('is refused if PUBLIC_URL is https://', () => {
    const env = { ...testEnv('postgres://a@b/c'), ALLOW_HTTP_LOGIN: 'true' }
    assert.equal(readConfig(env).allowsHttpLogin, true)
    const https = { ...env, PUBLIC_URL: 'https://wallet.example', ALLOW_UNVERIFIED_EMAIL: 'true' }
    assert.throws(() => readConfig(https), /ALLOW_HTTP_LOGIN must not be true/)
  })
})
