import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'

/** These differ from response to response, and fetch closes the connection of a HEAD request. */
const VARIABLE = ['connection', 'date', 'keep-alive', 'x-request-id']

describe('HEAD', () => {
  let harness: Harness
  let url: string
  before(async () => {
    harness = await startHarness()
    url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => harness.end())

  const pages = ['/', '/account', '/docs', '/livez', '/favicon.ico']
  for (const path of [...pages, '/api/server/wallet', '/api/server/wallet/debit']) {
    it(`gets the headers of GET ${path}, without a body`, async () => {
      const ask = async (method: 'GET' | 'HEAD') => {
        const response = await fetch(url + path, { method, headers: { accept: 'text/html' } })
        const headers = [...response.headers].filter(([name]) => !VARIABLE.includes(name))
        return { status: response.status, headers, length: (await response.bytes()).length }
      }
      const { length, ...expected } = await ask('GET')
      assert.deepEqual(await ask('HEAD'), { ...expected, length: 0 })
      assert(length > 0 && expected.status !== 404)
      assert(
        expected.headers.some(
          ([name, value]) => name === 'content-length' && value === `${length}`,
        ),
      )
    })
  }
})
