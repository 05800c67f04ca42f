import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPasskeyDomain, findRelyingParty } from './find-relying-party.ts'

describe('the relying party of passkeys', () => {
  it('is PUBLIC_URL, whatever the Host header is', () => {
    const config = { publicOrigin: 'https://wallet.example:8443' }
    const expected = { id: 'wallet.example', origin: 'https://wallet.example:8443' }
    for (const host of ['wallet.example:8443', 'evil.example', 'localhost', '']) {
      assert.deepEqual(findRelyingParty(config, host), expected)
    }
  })

  it('is localhost on any port without PUBLIC_URL, and no other host', () => {
    const config = { publicOrigin: undefined }
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
    for (const publicOrigin of none) {
      assert.equal(findPasskeyDomain({ publicOrigin }), undefined)
      assert.equal(findRelyingParty({ publicOrigin }, 'localhost'), undefined)
    }
    assert.equal(findPasskeyDomain({ publicOrigin: 'http://localhost:8080' }), 'localhost')
  })
})
