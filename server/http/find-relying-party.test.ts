import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  areaOfOperators,
  areaOfPeople,
  findFrameParty,
  findPasskeyHost,
  findRelyingParty,
} from './find-relying-party.ts'

describe('the relying party of passkeys', () => {
  it('is the URL of the admin area, whatever the Host header is', () => {
    const config = { origin: 'https://wallet.example:8443', rpId: undefined }
    const expected = { id: 'wallet.example', origin: 'https://wallet.example:8443' }
    for (const host of ['wallet.example:8443', 'evil.example', 'localhost', '']) {
      assert.deepEqual(findRelyingParty(config, host), expected)
    }
  })

  it('is localhost on any port without a URL, and no other host', () => {
    const config = { origin: undefined, rpId: undefined }
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
    for (const origin of none) {
      assert.equal(findPasskeyHost({ origin }), undefined)
      const config = { origin, rpId: undefined }
      assert.equal(findRelyingParty(config, 'localhost'), undefined)
    }
    assert.equal(findPasskeyHost({ origin: 'http://localhost:8080' }), 'localhost')
    const subdomain = 'http://admin.coffer.localhost:8080'
    assert.equal(findPasskeyHost({ origin: subdomain }), 'admin.coffer.localhost')
    assert.equal(findPasskeyHost({ origin: 'http://notlocalhost' }), undefined)
  })

  it('has the domain PASSKEY_RP_ID, and only the origin of the admin area', () => {
    const config = areaOfOperators({
      adminOrigin: 'https://admin.wallet.example',
      passkeyRpId: 'wallet.example',
    })
    const expected = { id: 'wallet.example', origin: 'https://admin.wallet.example' }
    for (const host of ['admin.wallet.example', 'wallet.example', 'docs.wallet.example']) {
      assert.deepEqual(findRelyingParty(config, host), expected)
    }
  })

  it('of people has the domain ACCOUNT_PASSKEY_RP_ID, and only the origin of /account', () => {
    const accountOrigin = 'https://account.wallet.example'
    for (const accountPasskeyRpId of [undefined, 'wallet.example']) {
      const area = areaOfPeople({ accountOrigin, accountPasskeyRpId })
      const id = accountPasskeyRpId ?? 'account.wallet.example'
      assert.deepEqual(findRelyingParty(area, 'wallet.example'), { id, origin: accountOrigin })
    }
  })

  it('in a frame has the domain of people, if the host of the widget belongs to it', () => {
    const accountOrigin = 'https://account.wallet.example'
    const topOrigins = ['https://shop.example']
    const find = (publicOrigin: string | undefined, accountPasskeyRpId: string | undefined) =>
      findFrameParty({ publicOrigin, accountOrigin, accountPasskeyRpId }, 'x.example', topOrigins)
    for (const publicOrigin of ['https://wallet.example', 'https://pay.wallet.example']) {
      const expected = { id: 'wallet.example', origin: publicOrigin, topOrigins }
      assert.deepEqual(find(publicOrigin, 'wallet.example'), expected)
      assert.equal(find(publicOrigin, undefined), undefined)
    }
    assert.equal(find('https://notwallet.example', 'wallet.example'), undefined)
    assert.equal(find('http://wallet.example', 'wallet.example'), undefined)
    const nowhere = { publicOrigin: undefined, accountOrigin: undefined }
    const party = findFrameParty({ ...nowhere, accountPasskeyRpId: undefined }, 'localhost:80', [])
    assert.deepEqual(party, { id: 'localhost', origin: 'http://localhost', topOrigins: [] })
  })
})
