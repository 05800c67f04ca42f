import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ORIGINS_MAX } from '@coffer/contract/limits'
import { checkTypedOrigin } from './check-typed-origin.ts'

describe('an origin while it is typed', () => {
  it('is accepted if it is exact', () => {
    const good = ['https://shop.example', 'https://shop.example:8443', 'http://localhost:3000']
    for (const origin of good) assert.equal(checkTypedOrigin(origin, []), undefined, origin)
  })

  it('is rejected otherwise, with the correct spelling if that is clear', () => {
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
      'https://shop.example;script-src': undefined,
      null: 'https://null',
      'https://': undefined,
      'two words': undefined,
    }
    for (const [text, better] of Object.entries(bad)) {
      const error = checkTypedOrigin(text, [])
      assert.ok(error?.text, text)
      assert.equal(error.better, better, text)
    }
  })

  it('is rejected if it is already listed or the list is full', () => {
    assert.ok(checkTypedOrigin('https://a.example', ['https://a.example']))
    const full = Array.from({ length: ORIGINS_MAX }, (_, at) => `https://shop-${at}.example`)
    assert.ok(checkTypedOrigin('https://one-more.example', full))
  })
})
