import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultOfOrigin, ORIGINS_MAX } from './fault-of-origin.ts'

describe('origins, as they are typed', () => {
  it('takes exact origins', () => {
    const good = ['https://shop.example', 'https://shop.example:8443', 'http://localhost:3000']
    for (const origin of good) assert.equal(faultOfOrigin(origin, []), undefined, origin)
  })

  it('refuses everything else and tells how to write it, where that is clear', () => {
    const bad: Record<string, string | undefined> = {
      'https://shop.example/': 'https://shop.example',
      'https://shop.example/cart?x=1': 'https://shop.example',
      'HTTPS://Shop.Example': 'https://shop.example',
      'https://shop.example:443': 'https://shop.example',
      'shop.example': 'https://shop.example',
      'localhost:3000': 'http://localhost:3000',
      'http://shop.example': undefined,
      'https://*.shop.example': undefined,
      'data:text/html,hello': undefined,
      'ftp://shop.example': undefined,
      null: 'https://null',
      'https://': undefined,
      'two words': undefined,
    }
    for (const [text, better] of Object.entries(bad)) {
      const fault = faultOfOrigin(text, [])
      assert.ok(fault?.text, text)
      assert.equal(fault.better, better, text)
    }
  })

  it('refuses what stands in the list, and a list that is too long', () => {
    assert.ok(faultOfOrigin('https://a.example', ['https://a.example']))
    const full = Array.from({ length: ORIGINS_MAX }, (_, at) => `https://shop-${at}.example`)
    assert.ok(faultOfOrigin('https://one-more.example', full))
  })
})
