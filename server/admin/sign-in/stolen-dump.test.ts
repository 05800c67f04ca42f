/** A copy of the database, the log or the audit log contains nothing that gives access to the admin area. */
import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  beginEnrolling,
  beginLogIn,
  dumpAdmin,
  freshCode,
  makeNewOperator,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { assertNoLeaks, MARKED_HEADERS } from '../../test/canaries.ts'
import {
  requestLogInChallenge,
  askToConfirm,
  askToMake,
  givePasskey,
} from '../../test/passkey-setup.ts'

describe('a stolen dump', () => {
  let setup: AdminSetup
  let dump: string
  /** Every secret that was issued, by kind. */
  const secrets: Record<string, string> = {}
  const codes: string[] = []

  before(async () => {
    setup = await openAdminSetup()
    const { harness, owner, app } = setup
    const someone = await makeNewOperator(harness, 'operator')
    const pending = await beginEnrolling(harness, someone)
    secrets['ticketToEnroll'] = pending.ticket
    secrets['pendingSeed'] = pending.totp.secret.base32
    secrets['ticket'] = await beginLogIn(harness, owner)
    secrets['cookie'] = owner.cookie.split('=')[1] ?? ''
    secrets['password'] = owner.password
    const passkey = await givePasskey(setup, owner)
    secrets['privateKey'] = passkey.keys.privateKey.export({ format: 'jwk' }).d ?? ''
    secrets['challengeAtSignIn'] = (await requestLogInChallenge(setup)).challenge
    secrets['challengeToConfirm'] = (await askToConfirm(setup, owner)).challenge
    secrets['challengeToAdd'] = (await askToMake(setup, owner)).challenge
    secrets['initialPassword'] = someone.password
    secrets['seed'] = owner.totp.secret.base32
    for (const [index, code] of owner.recoveryCodes.entries()) secrets[`recovery${index}`] = code
    codes.push(await freshCode(harness, owner), pending.totp.generate())
    const { clientId } = app
    const act = async (endpoint: AdminEndpoint, fields: object) => {
      const response = await askAs(
        setup,
        owner,
        endpoint,
        { ...fields },
        { ...MARKED_HEADERS, cookie: owner.cookie },
      )
      assert.equal(response.statusCode, 200, response.body)
      return response.json<Record<string, string>>()
    }
    const code = await freshCode(harness, owner)
    await act(signInEndpoints.confirmOperator, { password: owner.password, code })
    codes.push(code)
    const rotated = await act(clientAppsEndpoints.rotateClientSecret, { clientId, overlap: '1h' })
    secrets['rotated'] = rotated['clientSecret'] ?? ''
    const made = await act(clientAppsEndpoints.createClientApp, {
      name: 'Shop',
      scopes: [],
      allowedOrigins: [],
      allowedIframeParents: [],
      accentColor: null,
      creditLimit: 'unlimited',
    })
    secrets['created'] = made['clientSecret'] ?? ''
    const created = await act(operatorsEndpoints.createOperator, {
      email: 'new@example.com',
      name: 'Nina New',
      role: 'viewer',
    })
    secrets['createdPassword'] = created['password'] ?? ''
    dump = await dumpAdmin(setup)
  })
  after(() => setup.harness.end())

  it('comes with logs and metrics that contain no secret and no header value', async () => {
    await assertNoLeaks(setup.harness, [...Object.values(secrets), ...codes])
  })

  it('contains no secret in any form, including the audit log', () => {
    for (const [name, secret] of Object.entries(secrets)) {
      assert(secret.length > 10, name)
      const bare = secret.replace(/^coffer_sk_/, '').replaceAll('-', '')
      const forms = [secret, bare, Buffer.from(secret).toString('hex')]
      for (const form of forms) assert(!dump.includes(form), name)
    }
    const { owner } = setup
    assert(!dump.includes(owner.totp.secret.hex.toLowerCase()))
    for (const code of codes)
      assert(!new RegExp(`\\b${code}\\b`).test(dump.replace(/\.\d{6}/g, '')))
  })

  it('contains no hash of a recovery code that can be brute-forced without the key', () => {
    const { owner } = setup
    for (const code of owner.recoveryCodes) {
      for (const text of [code, `${owner.id} ${code}`, `${code} ${owner.id}`]) {
        assert(!dump.includes(hash('sha256', text)))
      }
    }
  })

  it('contains no value that works as a cookie, a ticket, a code or a password', async () => {
    const { harness, owner } = setup
    const found = dump.match(/[^\s(),"{}[\]:]+/g) ?? []
    const values = [...new Set(found.flatMap((each) => [each, each.replace(/^\\+x/, '')]))]
    assert(values.length > 50)
    const ticket = secrets['ticket'] ?? ''
    const code = await freshCode(harness, owner)
    for (const value of values.filter((each) => each.length >= 12)) {
      await harness.admin.query('delete from directory.log_in_failures')
      await harness.admin.query('update admin.tickets set tries = 0')
      const responses = await Promise.all([
        askAs(setup, { cookie: `__Host-coffer-admin=${value}` }, signInEndpoints.readOperator),
        askAs(setup, { cookie: '' }, signInEndpoints.finishAdminLogIn, { ticket: value, code }),
        askAs(setup, { cookie: '' }, signInEndpoints.finishAdminLogIn, { ticket, code: value }),
        askAs(setup, { cookie: '' }, signInEndpoints.logInToAdmin, {
          email: owner.email,
          password: value,
        }),
      ])
      for (const { statusCode } of responses) {
        assert([400, 401].includes(statusCode), `${statusCode} for ${value}`)
      }
    }
    const right = { ticket, code: await freshCode(harness, owner) }
    const response = await askAs(setup, { cookie: '' }, signInEndpoints.finishAdminLogIn, right)
    assert.equal(response.statusCode, 200)
  })
})
