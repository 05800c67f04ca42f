/** The attack: a setting looks like separate origins and is not, or makes passkeys work for others. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../config.ts'

const BASE = {
  DATABASE_URL: 'postgres://a@b/c',
  SECRET_PEPPERS: `p1:${Buffer.alloc(32, 1).toString('base64')}`,
  ALLOW_UNVERIFIED_EMAIL: 'true',
}
const PUBLIC_URL = 'https://wallet.example'
const ADMIN_URL = 'https://admin.wallet.example'

describe('the origins', () => {
  it('are all PUBLIC_URL by default', () => {
    const config = readConfig({ ...BASE, PUBLIC_URL: `${PUBLIC_URL}/x` })
    const { publicOrigin, accountOrigin, adminOrigin, docsOrigin, passkeyRpId } = config
    assert.deepEqual(
      new Set([publicOrigin, accountOrigin, adminOrigin, docsOrigin]),
      new Set([PUBLIC_URL]),
    )
    assert.equal(passkeyRpId, undefined)
    assert.equal(readConfig(BASE).adminOrigin, undefined)
  })

  it('can be separate, each with only its origin', () => {
    const config = readConfig({
      ...BASE,
      PUBLIC_URL,
      ACCOUNT_URL: 'https://account.example:8443/account',
      DOCS_URL: 'https://docs.example/?x',
    })
    assert.equal(config.accountOrigin, 'https://account.example:8443')
    assert.equal(config.adminOrigin, PUBLIC_URL)
    assert.equal(config.docsOrigin, 'https://docs.example')
  })

  const REFUSED: [string, Record<string, string>, RegExp][] = [
    ['without PUBLIC_URL', { DOCS_URL: 'http://docs.example' }, /DOCS_URL requires PUBLIC_URL/],
    [
      'with another scheme',
      { PUBLIC_URL, ACCOUNT_URL: 'http://account.example' },
      /ACCOUNT_URL must begin with the same scheme as PUBLIC_URL/,
    ],
    [
      'that differ from PUBLIC_URL only in the port',
      { PUBLIC_URL, DOCS_URL: `${PUBLIC_URL}:8443` },
      /DOCS_URL must have another host than https:\/\/wallet\.example, not only another port/,
    ],
    [
      'that differ from each other only in the port',
      { PUBLIC_URL, ACCOUNT_URL: 'https://a.example', DOCS_URL: 'https://a.example:444' },
      /DOCS_URL must have another host than https:\/\/a\.example/,
    ],
    ['that are not URLs', { PUBLIC_URL, DOCS_URL: 'docs.example' }, /DOCS_URL must be a URL/],
    ['with an unclear override', { ALLOW_SINGLE_HOST: 'yes' }, /ALLOW_SINGLE_HOST/],
  ]
  for (const [title, env, fault] of REFUSED) {
    it(`are refused ${title}`, () => assert.throws(() => readConfig({ ...BASE, ...env }), fault))
  }
})

describe('ACCOUNT_PASSKEY_RP_ID', () => {
  const ACCOUNT_URL = 'https://account.wallet.example'
  const read = (id: string | undefined, env: object = { PUBLIC_URL, ACCOUNT_URL }) =>
    readConfig({ ...BASE, ...env, ACCOUNT_PASSKEY_RP_ID: id }).accountPasskeyRpId

  it('is optional, and the host of /account or a domain above it', () => {
    for (const id of [undefined, 'wallet.example', 'account.wallet.example']) {
      assert.equal(read(id), id)
    }
    assert.equal(read('wallet.example', { PUBLIC_URL }), 'wallet.example')
    for (const id of ['admin.wallet.example', 'evil.example', 'x.account.wallet.example']) {
      assert.throws(
        () => read(id),
        /ACCOUNT_PASSKEY_RP_ID must be account\.wallet\.example or a domain above/,
      )
    }
    assert.throws(() => read('https://wallet.example'), /ACCOUNT_PASSKEY_RP_ID must be a domain/)
  })
})

describe('PASSKEY_RP_ID', () => {
  const read = (PASSKEY_RP_ID: string | undefined, env: object = { PUBLIC_URL, ADMIN_URL }) =>
    readConfig({ ...BASE, ...env, PASSKEY_RP_ID }).passkeyRpId

  it('is required with a separate ADMIN_URL, because the domain of the passkeys would change', () => {
    assert.throws(
      () => read(undefined),
      /PASSKEY_RP_ID is missing.*use wallet\.example to keep existing.*use admin\.wallet\.example; operators/,
    )
    assert.equal(read(undefined, { PUBLIC_URL }), undefined)
    assert.equal(read(undefined, { PUBLIC_URL, ADMIN_URL: PUBLIC_URL }), undefined)
  })

  it('is the host of the admin area or a domain above it', () => {
    for (const id of ['wallet.example', 'admin.wallet.example']) assert.equal(read(id), id)
    assert.equal(read('localhost', {}), 'localhost')
    for (const id of [
      'docs.wallet.example',
      'evil.example',
      'let.example',
      'x.admin.wallet.example',
    ]) {
      assert.throws(
        () => read(id),
        /PASSKEY_RP_ID must be admin\.wallet\.example or a domain above/,
      )
    }
    for (const id of ['example', 'https://wallet.example', 'WALLET.example', '.wallet.example']) {
      assert.throws(() => read(id), /PASSKEY_RP_ID must be a domain/)
    }
  })
})
