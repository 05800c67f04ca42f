import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startHarness, type Harness } from '../test/harness.ts'
import { assertRefusal } from '../test/setup.ts'
import { findEntry } from './web-assets.ts'

describe('assets', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  const entry = findEntry('widget/wallet/wallet.tsx', 'widget/sign-in/sign-in.tsx')
  const scripts = [entry.script, ...entry.preloads]
  const get = (url: string, headers: Record<string, string> = {}) =>
    harness.inject({ method: 'GET', url, headers })

  it('include every file of the page, with its content type, and can be cached forever', async () => {
    assert(scripts.length > 0 && entry.styles.length > 0)
    const typed = [
      ...scripts.map((url) => [url, /^(text|application)\/javascript/] as const),
      ...entry.styles.map((url) => [url, /^text\/css/] as const),
    ]
    for (const [url, type] of typed) {
      const { statusCode, headers } = await get(url)
      assert.equal(statusCode, 200)
      assert.match(String(headers['content-type']), type)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
      assert.equal(headers['content-encoding'], undefined)
    }
  })

  it('are compressed as the browser accepts, with the same content', async () => {
    for (const url of [...scripts, ...entry.styles]) {
      const plain = await get(url)
      const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br, zstd' })
      const gzip = await get(url, { 'accept-encoding': 'gzip, deflate' })
      assert.equal(brotli.headers['content-encoding'], 'br')
      assert.equal(gzip.headers['content-encoding'], 'gzip')
      assert.deepEqual(brotliDecompressSync(brotli.rawPayload), plain.rawPayload)
      assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload)
      for (const each of [plain, brotli, gzip]) {
        assert.equal(each.headers['content-type'], plain.headers['content-type'])
        assert.match(String(each.headers['cache-control']), /immutable$/)
        assert.match(String(each.headers['vary']), /accept-encoding/i)
      }
    }
  })

  it('404 NOT_FOUND for a missing file, a folder, or a path outside the folder', async () => {
    const paths = [
      '/assets/nothing.js',
      '/assets/',
      '/assets',
      '/assets/../.vite/manifest.json',
      '/assets/%2e%2e/.vite/manifest.json',
      '/assets/..%2f.vite%2fmanifest.json',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/assets/..%5c..%5cpackage.json',
      '/assets//etc/passwd',
      '/assets/%2fetc%2fpasswd',
      '/assets/x%00.js',
      '/assets/.vite/manifest.json',
    ]
    for (const path of paths) {
      for (const headers of [{}, { 'accept-encoding': 'br, gzip' }]) {
        const response = await get(path, headers)
        assertRefusal(response, { errors: {} }, 'NOT_FOUND')
        assert.equal(response.headers['cache-control'], 'no-store')
      }
    }
  })

  it('throw an error with the name of an entry that was not built', () => {
    assert.throws(() => findEntry('widget/nowhere.tsx'), /Page widget\/nowhere\.tsx not found/)
  })
})
