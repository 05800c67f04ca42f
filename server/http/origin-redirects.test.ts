/** The attack: a link to PUBLIC_URL, which people trust, leads to another site. */
import assert from 'node:assert/strict'
import { request as sendRequest } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'
import { HOSTS, SEPARATE_ENV } from '../test/separate-hosts.ts'

describe('the redirects of PUBLIC_URL', () => {
  let harness: Harness
  let port = 0
  before(async () => {
    harness = await startHarness(SEPARATE_ENV)
    port = Number(new URL(await harness.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  after(() => harness.end())

  /** Sends the target as it is: `inject` would clean it. */
  const follow = (path: string) =>
    new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
      const options = { port, path, host: '127.0.0.1', headers: { host: HOSTS.public } }
      sendRequest(options, (response) => {
        response.resume()
        resolve({ status: response.statusCode ?? 0, location: response.headers.location })
      })
        .on('error', reject)
        .end()
    })

  it('keep the path and the query', async () => {
    for (const [path, host] of [
      ['/admin', HOSTS.admin],
      ['/admin/people?query=a%20b&next=%2F%2Fevil.example', HOSTS.admin],
      ['/account?x=1&x=2', HOSTS.account],
      ['/account/client-secret', HOSTS.account],
      ['/docs/', HOSTS.docs],
      ['/docs/errors/NOT_FOUND', HOSTS.docs],
      ['/llms.txt', HOSTS.docs],
    ]) {
      assert.deepEqual(await follow(path ?? ''), {
        status: 307,
        location: `https://${host}${path}`,
      })
    }
  })

  it('never lead to another host', async () => {
    const hostile = [
      '//evil.example/admin',
      '///evil.example/admin',
      '/\\evil.example/admin',
      '\\\\evil.example/admin',
      '/admin\\@evil.example',
      '/admin/@evil.example',
      '/admin//evil.example',
      '/admin/..//evil.example',
      '/admin/%2e%2e//evil.example',
      '/admin/%2e%2e/%5cevil.example',
      '/admin%2f%2fevil.example',
      '/admin/%0d%0aLocation:%20https://evil.example',
      '/admin.evil.example',
      '/%61dmin',
      '/docs/..%2f..%2f/evil.example',
      'http://evil.example/admin',
      'https://evil.example/account?x=1',
      'http://evil.example@evil.example/docs',
      'http://evil.example:99/admin/people',
      'http:/evil.example/admin',
    ]
    const own = [HOSTS.account, HOSTS.admin, HOSTS.docs].map((host) => `https://${host}`)
    let count = 0
    for (const path of hostile) {
      const { status, location } = await follow(path)
      if (location === undefined) {
        assert([400, 404].includes(status), path)
        continue
      }
      count++
      const url = new URL(location)
      assert(own.includes(url.origin), `${path} → ${location}`)
      assert.equal(url.username, '', path)
    }
    assert(count > 5, `only ${count} are redirects`)
  })
})
