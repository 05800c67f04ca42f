import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { request, toQuery } from './request.ts'

/** Replaces fetch, and returns its arguments. */
function respond(give: () => Response | Promise<Response>) {
  const calls: { url: string; init: RequestInit }[] = []
  mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    return give()
  })
  return calls
}

const read = () => request('GET /api/widget/wallet', { session: 'a b' })
const create = () => request('POST /api/widget/topup/create-intent', { amount: '10.00' })

// The language of the page.
Object.assign(globalThis, { document: { documentElement: { lang: 'de' } } })
afterEach(() => mock.restoreAll())

describe('a request', () => {
  it('has its input in the URL when it reads, and in the body when it writes', async () => {
    const calls = respond(() => Response.json({ balance: 1 }))
    await read()
    await create()
    const [get, post] = calls
    assert.equal(get?.url, '/api/widget/wallet?session=a+b')
    assert.equal(get?.init.method, 'GET')
    assert.deepEqual([get?.init.body, get?.init.headers], [undefined, undefined])
    assert.equal(post?.url, '/api/widget/topup/create-intent')
    assert.equal(post?.init.method, 'POST')
    assert.equal(post?.init.body, '{"amount":"10.00"}')
    const headers = { 'content-type': 'application/json', 'accept-language': 'de' }
    assert.deepEqual(post?.init.headers, headers)
  })

  it('sends no cookies by default, follows no redirect and uses no cache', async () => {
    const timeout = mock.method(AbortSignal, 'timeout')
    const calls = respond(() => Response.json({}))
    await read()
    await request(
      'POST /api/widget/topup/create-intent',
      { amount: '1' },
      { credentials: 'same-origin' },
    )
    assert.deepEqual(
      calls.map(({ init }) => [init.credentials, init.redirect, init.cache, init.mode]),
      [
        ['omit', 'error', 'no-store', undefined],
        ['same-origin', 'error', 'no-store', undefined],
      ],
    )
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [10_000])
    assert.equal(calls[0]?.init.signal, timeout.mock.calls[0]?.result)
  })

  it('omits undefined fields', () => {
    assert.equal(toQuery({}), '')
    assert.equal(toQuery({ a: undefined }), '')
    assert.equal(toQuery({ a: undefined, b: 0, c: '' }), '?b=0&c=')
  })
})

describe('the result of a request', () => {
  it('is the response of the service', async () => {
    respond(() => Response.json({ balance: 7 }, { status: 201 }))
    assert.deepEqual(await read(), { ok: true, data: { balance: 7 } })
  })

  it('is a refusal with all details of the response', async () => {
    const body = { error: 'Slower.', code: 'RATE_LIMITED', field: 'amount' }
    respond(() => Response.json(body, { status: 429, headers: { 'retry-after': '7' } }))
    assert.deepEqual(await read(), {
      ok: false,
      offline: false,
      status: 429,
      code: 'RATE_LIMITED',
      text: 'Slower.',
      field: 'amount',
      retryAfterSeconds: 7,
    })
  })

  it('is a refusal without a time to wait if the service names none', async () => {
    respond(() => Response.json({ error: 'No.', code: 'RATE_LIMITED' }, { status: 429 }))
    const refusal = await read()
    assert(!refusal.ok && !refusal.offline)
    assert.equal(refusal.retryAfterSeconds, undefined)
  })

  it('is a refusal without details for a response that is not from the service', async () => {
    const empty = { code: undefined, text: undefined, field: undefined }
    for (const status of [200, 404, 502]) {
      const headers = { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }
      respond(() => new Response('<html>', { status, headers }))
      const refusal = { ok: false, offline: false, status, ...empty, retryAfterSeconds: undefined }
      assert.deepEqual(await read(), refusal)
      mock.restoreAll()
    }
  })

  it('is offline when the network fails or the request times out', async () => {
    respond(() => Promise.reject(new TypeError('fetch failed')))
    assert.deepEqual(await read(), { ok: false, offline: true })
    mock.restoreAll()
    const aborted = new AbortController()
    aborted.abort()
    mock.method(AbortSignal, 'timeout', () => aborted.signal)
    mock.method(globalThis, 'fetch', async (_url: string, { signal }: RequestInit) => {
      signal?.throwIfAborted()
      return Response.json({})
    })
    assert.deepEqual(await create(), { ok: false, offline: true })
  })

  it('is not a success when the body is incomplete', async () => {
    respond(() => new Response('{"balance":', { status: 200 }))
    assert.equal((await read()).ok, false)
  })
})
