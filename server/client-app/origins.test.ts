import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { faultOfOrigin } from './origins.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

describe('the origins of a client app', () => {
  it('are exact https origins, or http origins of localhost', () => {
    for (const origin of [
      'https://shop.example',
      'https://shop.example:8443',
      'http://localhost:3000',
    ]) {
      assert.equal(faultOfOrigin(origin), undefined)
    }
  })

  it('are rejected with a reason otherwise', () => {
    const wrong: Record<string, RegExp> = {
      'https://*.example': /wildcard/,
      'https://shop.example/': /exactly as https:\/\/shop\.example$/,
      'https://shop.example/path': /exactly as/,
      'https://Shop.example': /exactly as/,
      'https://shop.example:443': /exactly as/,
      'http://shop.example': /must use https/,
      'file:///etc': /no origin/,
      'https://shop.example;sandbox': /characters that are not allowed/,
      'https://shop.example,b': /characters that are not allowed/,
      "https://'self'": /characters that are not allowed/,
      null: /not a URL/,
      '': /not a URL/,
    }
    for (const [origin, reason] of Object.entries(wrong)) {
      assert.match(faultOfOrigin(origin) ?? '', reason, origin)
    }
  })

  it('can be iframe parents of only one active app, unless sharesParents is true', async () => {
    const allowedIframeParents = ['https://one.example']
    await makeClientApp(harness.context, { allowedIframeParents })
    await assert.rejects(
      makeClientApp(harness.context, { allowedIframeParents }),
      /already an iframe parent/,
    )
    await makeClientApp(harness.context, { allowedIframeParents, sharesParents: true })
    const many = Array.from({ length: 51 }, (_, index) => `https://shop-${index}.example`)
    await assert.rejects(makeClientApp(harness.context, { allowedOrigins: many }), /At most 50/)
  })
})
