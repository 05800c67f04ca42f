import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPasskeyHost, findRelyingParty } from './find-relying-party.ts'

describe('the relying party of passkeys', () => {
  it('is the URL of the admin area, whatever the Host header is', () => {
    const config = { adminOrigin: 'https://wallet.example:8443', passkeyRpId: undefined }
    const expected = { id: 'wallet.example', origin: 'https://wallet.example:8443' }
    for (const host of ['wallet.example:8443', 'evil.example', 'localhost', '']) {
      assert.deepEqual(findRelyingParty(config, host), expected)
    }
  })

  it('is localhost on any port without a URL, and no other host', () => {
    const config = { adminOrigin: undefined, passkeyRpId: undefined }
    const origins = { localhost: 'http://localhost', 'localhost:80': 'http://localhost' }
    for (const [host, origin] of Object.entries({
      ...origins,
      'localhost:8080': 'http://localhost:8080',
    })) {
      assert.deepEqual(findRelyingParty(config, host), { id: 'localhost', origin })
    }
    const others = ['wallet.example', 'localhost.example', '127.0.0.1', '[::1]', 'LOCALHOST', '']
    for (const host of [...others, 'localhost:', 'localhost@evil.example', 'localhost/']) {
      assert.equal(findRelyingParty(config, host), undefined)
    }
  })

  it('is undefined where browsers support no passkeys: an IP address or plain HTTP', () => {
    const none = ['https://192.0.2.1', 'https://[2001:db8::1]', 'http://wallet.example']
    for (const adminOrigin of none) {
      assert.equal(findPasskeyHost({ adminOrigin }), undefined)
      const config = { adminOrigin, passkeyRpId: undefined }
      assert.equal(findRelyingParty(config, 'localhost'), undefined)
    }
    assert.equal(findPasskeyHost({ adminOrigin: 'http://localhost:8080' }), 'localhost')
    const subdomain = 'http://admin.coffer.localhost:8080'
    assert.equal(findPasskeyHost({ adminOrigin: subdomain }), 'admin.coffer.localhost')
    assert.equal(findPasskeyHost({ adminOrigin: 'http://notlocalhost' }), undefined)
  })

  it('has the domain PASSKEY_RP_ID, and only the origin of the admin area', () => {
    const config = { adminOrigin: 'https://admin.wallet.example', passkeyRpId: 'wallet.example' }
    const expected = { id: 'wallet.example', origin: 'https://admin.wallet.example' }
    for (const host of ['admin.wallet.example', 'wallet.example', 'docs.wallet.example']) {
      assert.deepEqual(findRelyingParty(config, host), expected)
    }
  })
})
