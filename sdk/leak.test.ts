/** Errors are logged: none may contain a secret, the URL of a request or a serviceUserId. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import type { Coffer, CofferOptions, Fetch } from './coffer.ts'
import { CofferError, ERROR_CLASSES } from './errors.ts'
import type { Fault } from './test/faulty-proxy.ts'
import { response, openSdkSetup, type SdkSetup, type SdkShop } from './test/sdk-setup.ts'

const LINK_CODE = 'lc_canary'
const VERIFIER = 'verifier-canary-verifier-canary-verifier-canary'

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())

/** Everything that a logger could print, including hidden properties. */
function dig(error: Error): string {
  const found = [inspect(error, { showHidden: true, depth: Infinity, getters: true })]
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    found.push(String(each), each.stack ?? '', JSON.stringify(each))
    for (const name of Reflect.ownKeys(each)) found.push(inspect(Reflect.get(each, name)))
  }
  return found.join('\n')
}

function assertNoLeak(error: Error, { app, serviceUserId }: SdkShop) {
  const { clientId, clientSecret } = app
  const shown = dig(error)
    .replaceAll(/https?:\/\/[\w.:]+\/docs\/errors\/[A-Z_]+/g, '')
    .replaceAll(/file:\/\/[^\s)]+/g, '')
  const basic = btoa(`${clientId}:${clientSecret}`)
  const secrets = [clientSecret, basic, 'Basic ', serviceUserId, LINK_CODE, VERIFIER].concat(
    '://',
    '/api/',
    '?',
  )
  for (const secret of secrets) assert(!shown.includes(secret), `${secret} in ${shown}`)
}

/** Makes every call and returns the errors that they throw. */
async function provoke(
  coffer: Coffer,
  { input, serviceUserId, reference }: SdkShop,
  fault?: Fault,
) {
  const calls = [
    () => coffer.wallet({ serviceUserId }),
    () => coffer.checkBalance({ serviceUserId, requiredAmount: 1 }),
    () => coffer.debit(input),
    () => coffer.credit(input),
    () => coffer.operation(reference),
    () => coffer.createSession({ serviceUserId }),
    () => coffer.exchangeLinkCode({ linkCode: LINK_CODE, verifier: VERIFIER }),
  ]
  const thrown: CofferError[] = []
  for (const call of calls) {
    setup.proxy.clear()
    if (fault) setup.proxy.plan(fault)
    try {
      await call()
    } catch (error) {
      assert(error instanceof CofferError, String(error))
      thrown.push(error)
    }
  }
  return thrown
}

async function assertNoLeaks(fault: Fault | undefined, options: Partial<CofferOptions> = {}) {
  const shop = await setup.addShop({ retries: 0, ...options })
  const leaking = typeof fault === 'object' ? echo(fault, shop) : fault
  const thrown = await provoke(shop.coffer, shop, leaking)
  assert(thrown.length >= 6, `only ${thrown.length} were thrown`)
  for (const error of thrown) assertNoLeak(error, shop)
  return thrown
}

/** Puts all secrets where a gateway might repeat them. */
function echo(fault: Exclude<Fault, string>, { app, serviceUserId }: SdkShop): Fault {
  const secrets = `${setup.proxy.url}/api/server/wallet?serviceUserId=${serviceUserId}&${app.clientSecret}`
  const headers = { 'x-request-id': secrets, location: secrets, 'retry-after': secrets }
  return { ...fault, headers, body: (fault.body ?? '').replaceAll('SECRETS', secrets) }
}

describe('no secret, URL or serviceUserId in an error', () => {
  it('of a service that cannot be reached, hangs or closes the connection', async () => {
    for (const fault of ['lose request', 'lose response', 'cut response', 'hang'] as const) {
      await assertNoLeaks(fault, { timeoutMs: 150 })
    }
    await assertNoLeaks(undefined, { serviceUrl: 'http://127.0.0.1:1' })
  })

  it('of a gateway that repeats the request in its response', async () => {
    const bodies = [
      '<h1>SECRETS</h1>',
      '{"error":"SECRETS"}',
      '{"error":"SECRETS","code":"SECRETS"}',
    ]
    for (const status of [200, 302, 400, 401, 404, 429, 500, 502, 503]) {
      for (const body of bodies) await assertNoLeaks({ status, body })
    }
    const field = { error: 'Check it.', code: 'INVALID_REQUEST', field: 'SECRETS' }
    await assertNoLeaks({ status: 400, body: JSON.stringify(field) })
  })

  it('of a fetch whose errors contain the whole request', async () => {
    const leaky: Fetch = async (url, init) => {
      const cause = Object.assign(new Error(url), { code: url, headers: init.headers, url })
      throw Object.assign(new Error(`${url} ${inspect(init)}`, { cause }), { url, init })
    }
    await assertNoLeaks(undefined, { fetch: leaky })
  })

  it('of every code', async () => {
    const shop = await setup.addShop({ retries: 0 })
    const met = new Set<string>()
    for (const code of Object.keys(ERROR_CLASSES)) {
      const refusal = response(400, { error: 'No.', code, requiresAuth: true })
      for (const error of await provoke(shop.coffer, shop, refusal)) {
        assertNoLeak(error, shop)
        met.add(error.code)
      }
    }
    assert.equal(met.size, Object.keys(ERROR_CLASSES).length)
  })

  it('although the stack shows where the call was made', async () => {
    const shop = await setup.addShop({ retries: 0 })
    const [error] = await provoke(shop.coffer, shop, 'lose request')
    assert.match(error?.stack ?? '', /leak\.test\.ts/)
  })
})
