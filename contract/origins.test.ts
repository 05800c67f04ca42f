import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOrigin } from './origins.ts'

describe('origins of client apps', () => {
  it('accepts exact https origins, and http on localhost', () => {
    const good = [
      'https://shop.example',
      'https://shop.example:8443',
      'https://[::1]:8443',
      'http://localhost:3000',
      'http://127.0.0.1:3000',
    ]
    for (const origin of good) assert.equal(checkOrigin(origin), undefined, origin)
  })

  it('rejects everything else with a reason', () => {
    const bad: Record<string, string> = {
      'https://*.shop.example': 'wildcard',
      'shop.example': 'not_a_url',
      'https://': 'not_a_url',
      'localhost:3000': 'no_origin',
      'data:text/html,hello': 'no_origin',
      'http://shop.example': 'insecure',
      'http://shop.example/cart': 'insecure',
      'ftp://shop.example': 'insecure',
      'https://shop.example/': 'inexact',
      'HTTPS://Shop.Example': 'inexact',
      'https://shop.example:443': 'inexact',
      'https://shop.example;script-src': 'bad_host',
    }
    for (const [text, reason] of Object.entries(bad)) {
      assert.equal(checkOrigin(text)?.reason, reason, text)
    }
  })

  it('rejects http on a host whose name only contains the name of this computer', () => {
    const lookAlikes = [
      'http://localhost.attacker.example',
      'http://attacker.localhost',
      'http://notlocalhost:3000',
      'http://127.0.0.1.attacker.example',
      'http://127.0.0.10',
    ]
    for (const origin of lookAlikes) assert.equal(checkOrigin(origin)?.reason, 'insecure', origin)
  })

  it('suggests the correct spelling of an inexact origin', () => {
    assert.deepEqual(checkOrigin('https://shop.example/cart?x=1'), {
      reason: 'inexact',
      exact: 'https://shop.example',
    })
  })
})
