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
  openAdminStage,
  type AdminStage,
} from '../../test/admin-setup.ts'
import { assertSilence, MARKED_HEADERS } from '../../test/canaries.ts'
import { askAtDoor, askToConfirm, askToMake, givePasskey } from '../../test/passkey-setup.ts'

describe('a stolen dump', () => {
  let stage: AdminStage
  let dump: string
  /** Everything secret that was handed out, by what it is. */
  const secrets: Record<string, string> = {}
  const codes: string[] = []

  before(async () => {
    stage = await openAdminStage()
    const { harness, owner, app } = stage
    const someone = await makeNewOperator(harness, 'operator')
    const pending = await beginEnrolling(harness, someone)
    secrets['ticketToEnroll'] = pending.ticket
    secrets['pendingSeed'] = pending.totp.secret.base32
    secrets['ticket'] = await beginLogIn(harness, owner)
    secrets['cookie'] = owner.cookie.split('=')[1] ?? ''
    secrets['password'] = owner.password
    const passkey = await givePasskey(stage, owner)
    secrets['privateKey'] = passkey.keys.privateKey.export({ format: 'jwk' }).d ?? ''
    secrets['challengeAtDoor'] = (await askAtDoor(stage)).challenge
    secrets['challengeToConfirm'] = (await askToConfirm(stage, owner)).challenge
    secrets['challengeToAdd'] = (await askToMake(stage, owner)).challenge
    secrets['firstPassword'] = someone.password
    secrets['seed'] = owner.totp.secret.base32
    for (const [index, code] of owner.recoveryCodes.entries()) secrets[`recovery${index}`] = code
    codes.push(await freshCode(harness, owner), pending.totp.generate())
    const { clientId } = app
    const act = async (endpoint: AdminEndpoint, fields: object) => {
      const response = await askAs(
        stage,
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
    dump = await dumpAdmin(stage)
  })
  after(() => stage.harness.end())

  it('no log line or metric contains a secret or the value of a header', async () => {
    await assertSilence(stage.harness, [...Object.values(secrets), ...codes])
  })

  it('the database, including the audit log, contains no secret in any form', () => {
    for (const [name, secret] of Object.entries(secrets)) {
      assert(secret.length > 10, name)
      const bare = secret.replace(/^coffer_sk_/, '').replaceAll('-', '')
      const forms = [secret, bare, Buffer.from(secret).toString('hex')]
      for (const form of forms) assert(!dump.includes(form), name)
    }
    const { owner } = stage
    assert(!dump.includes(owner.totp.secret.hex.toLowerCase()))
    for (const code of codes)
      assert(!new RegExp(`\\b${code}\\b`).test(dump.replace(/\.\d{6}/g, '')))
  })

  it('no hash of a recovery code can be searched for without the key', () => {
    const { owner } = stage
    for (const code of owner.recoveryCodes) {
      for (const text of [code, `${owner.id} ${code}`, `${code} ${owner.id}`]) {
        assert(!dump.includes(hash('sha256', text)))
      }
    }
  })

  it('no value in it works as a cookie, a ticket, a code or a password', async () => {
    const { harness, owner } = stage
    const found = dump.match(/[^\s(),"{}[\]:]+/g) ?? []
    const values = [...new Set(found.flatMap((each) => [each, each.replace(/^\\+x/, '')]))]
    assert(values.length > 50)
    const ticket = secrets['ticket'] ?? ''
    const code = await freshCode(harness, owner)
    for (const value of values.filter((each) => each.length >= 12)) {
      await harness.admin.query('delete from directory.log_in_failures')
      await harness.admin.query('update admin.tickets set tries = 0')
      const answers = await Promise.all([
        askAs(stage, { cookie: `__Host-coffer-admin=${value}` }, signInEndpoints.readOperator),
        askAs(stage, { cookie: '' }, signInEndpoints.finishAdminLogIn, { ticket: value, code }),
        askAs(stage, { cookie: '' }, signInEndpoints.finishAdminLogIn, { ticket, code: value }),
        askAs(stage, { cookie: '' }, signInEndpoints.logInToAdmin, {
          email: owner.email,
          password: value,
        }),
      ])
      for (const { statusCode } of answers) {
        assert([400, 401].includes(statusCode), `${statusCode} for ${value}`)
      }
    }
    const right = { ticket, code: await freshCode(harness, owner) }
    const response = await askAs(stage, { cookie: '' }, signInEndpoints.finishAdminLogIn, right)
    assert.equal(response.statusCode, 200)
  })
})
