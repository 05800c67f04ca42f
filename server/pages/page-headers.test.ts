/** The framing and content policy of every HTML page. A new page needs a row, or the last test fails. */
import { API_VERSION } from '@coffer/contract/limits'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { startWithRoutes, type RegisteredRoute } from '../test/list-routes.ts'
import {
  API_REFERENCE,
  CLIENT_SECRET,
  DOCS,
  FIRST_PARTY,
  HELP,
  NONE,
  SANDBOX_ORIGIN,
  TOPUP,
  TOPUP_WITH_SANDBOX,
  WIDGET,
  type Directives,
} from '../test/tables/page-policies.ts'
import { assertRefusal, furnish } from '../test/setup.ts'
import { mintSession, openShop, type Shop } from '../test/shop.ts'

const STRIPE_ENV = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_API_URL: SANDBOX_ORIGIN,
}

const ALWAYS = {
  'api-version': API_VERSION,
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
/** These differ from response to response. */
const VARIABLE = ['connection', 'content-length', 'date', 'x-request-id']

type Headers = Record<string, string>

const OWN_WINDOW = { 'cross-origin-opener-policy': 'same-origin' }
/** Stripe's script requires the origin in the Referer, and the page that opened the window receives messages. */
const TOPUP_WINDOW = {
  'referrer-policy': 'strict-origin',
  'cross-origin-opener-policy': 'unsafe-none',
}

type Service = 'usual' | 'bare' | 'sandbox'

interface Page {
  title: string
  /** The route as the service registers it. */
  route: string
  /** usual: with an admin area. bare: without one. sandbox: loads Stripe's script from another host. */
  on?: Service
  status?: number
  query?: (shop: Shop) => Promise<Record<string, string>> | Record<string, string>
  headers?: Headers
  policy: Directives
  /** Which origins may frame it, if that depends on the client app. */
  ancestors?: (shop: Shop) => string[]
}

const clientId = ({ app }: Shop) => ({ clientId: app.clientId })
const parents = (shop: Shop) => shop.parents

const PAGES: readonly Page[] = [
  {
    title: 'the widget with a session',
    route: '/widget/wallet',
    query: async (shop) => ({ session: await mintSession(shop) }),
    policy: WIDGET,
    ancestors: parents,
  },
  {
    title: 'the widget with a session for one parent',
    route: '/widget/wallet',
    query: async (shop) => ({ session: await mintSession(shop, shop.parents[1]) }),
    policy: WIDGET,
    ancestors: (shop) => [shop.parents[1]],
  },
  {
    title: 'the widget without a session',
    route: '/widget/wallet',
    query: clientId,
    policy: WIDGET,
    ancestors: parents,
  },
  { title: 'the widget without a client app', route: '/widget/wallet', policy: HELP },
  {
    title: 'the top-up page with a session',
    route: '/widget/topup',
    query: async (shop) => ({ session: await mintSession(shop) }),
    headers: TOPUP_WINDOW,
    policy: TOPUP,
    ancestors: parents,
  },
  {
    title: 'the top-up page with a session for one parent',
    route: '/widget/topup',
    query: async (shop) => ({ session: await mintSession(shop, shop.parents[0]) }),
    headers: TOPUP_WINDOW,
    policy: TOPUP,
    ancestors: (shop) => [shop.parents[0]],
  },
  {
    title: 'the top-up page without a session',
    route: '/widget/topup',
    query: clientId,
    headers: TOPUP_WINDOW,
    policy: TOPUP,
    ancestors: parents,
  },
  {
    title: 'the top-up page with a sandbox instead of Stripe',
    route: '/widget/topup',
    on: 'sandbox',
    query: clientId,
    headers: TOPUP_WINDOW,
    policy: TOPUP_WITH_SANDBOX,
    ancestors: parents,
  },
  { title: 'the top-up page without a client app', route: '/widget/topup', policy: HELP },
  { title: 'the account page', route: '/account', headers: OWN_WINDOW, policy: FIRST_PARTY },
  { title: 'the admin area', route: '/admin', headers: OWN_WINDOW, policy: FIRST_PARTY },
  {
    title: 'a page of the admin area',
    route: '/admin/*',
    headers: OWN_WINDOW,
    policy: FIRST_PARTY,
  },
  {
    title: 'the admin area if it is not configured',
    route: '/admin',
    on: 'bare',
    status: 503,
    headers: OWN_WINDOW,
    policy: FIRST_PARTY,
  },
  {
    title: 'a page of the admin area if it is not configured',
    route: '/admin/*',
    on: 'bare',
    status: 503,
    headers: OWN_WINDOW,
    policy: FIRST_PARTY,
  },
  {
    title: 'the page that shows a new client secret',
    route: '/account/client-secret',
    headers: OWN_WINDOW,
    policy: CLIENT_SECRET,
  },
  { title: 'the API reference', route: '/docs/api/', policy: API_REFERENCE },
]
/** The documentation has a route per file, all from one folder. */
const isDocument = (url: string) => /^\/docs(\/|$)/.test(url) && !url.startsWith('/docs/api')

/** Sorted, because the order of directives has no meaning. */
function directivesOf(response: LightMyRequestResponse): Directives {
  const policy = String(response.headers['content-security-policy'])
  const pairs = policy.split('; ').map((directive) => {
    const [name = '', ...sources] = directive.split(' ')
    return [name, sources.join(' ')] as const
  })
  assert.equal(new Set(pairs.map(([name]) => name)).size, pairs.length, 'a directive is repeated')
  return Object.fromEntries(pairs)
}

function assertPage(response: LightMyRequestResponse, policy: Directives, headers: Headers = {}) {
  assert.deepEqual(directivesOf(response), policy)
  const { 'content-security-policy': _policy, ...others } = response.headers
  for (const name of VARIABLE) delete others[name]
  assert.deepEqual({ ...others }, { ...ALWAYS, ...headers })
}

describe('the headers of every HTML page', () => {
  const harnesses = {} as Record<Service, Harness>
  let routes: RegisteredRoute[]
  before(async () => {
    const usual = await startWithRoutes(ADMIN_ENV)
    routes = usual.routes
    harnesses.usual = usual.harness
    harnesses.bare = await startHarness()
    harnesses.sandbox = await startHarness({
      ...STRIPE_ENV,
      STRIPE_SCRIPT_URL: `${SANDBOX_ORIGIN}/stripe.js`,
    })
  })
  after(() => Promise.all(Object.values(harnesses).map((harness) => harness.end())))

  for (const page of PAGES) {
    it(`${page.title}: exactly this policy and these headers`, async () => {
      const harness = harnesses[page.on ?? 'usual']
      const shop = await openShop(await furnish(harness))
      const query = new URLSearchParams((await page.query?.(shop)) ?? {})
      const url = `${page.route.replace('*', 'people')}?${query}`
      const response = await harness.inject({ method: 'GET', url })
      assert.equal(response.statusCode, page.status ?? 200)
      const ancestors = page.ancestors?.(shop).join(' ')
      const policy = { ...page.policy, ...(ancestors && { 'frame-ancestors': ancestors }) }
      assertPage(response, policy, page.headers)
    })
  }

  it('the widget and the top-up page of an app without parents cannot be framed', async () => {
    const shop = await openShop(await furnish(harnesses.usual), { allowedIframeParents: [] })
    for (const path of ['/widget/wallet', '/widget/topup']) {
      const url = `${path}?clientId=${shop.app.clientId}`
      const response = await harnesses.usual.inject({ method: 'GET', url })
      assert.equal(directivesOf(response)['frame-ancestors'], NONE)
    }
  })

  it('every page of the documentation has the same policy', async () => {
    const pages = routes.filter(({ url }) => isDocument(url))
    let count = 0
    for (const { url } of pages) {
      const response = await harnesses.usual.inject({ method: 'GET', url })
      if (!String(response.headers['content-type']).startsWith('text/html')) continue
      assert.equal(response.statusCode, 200)
      assertPage(response, DOCS)
      count++
    }
    assert(count > 60, `${count} pages`)
  })

  it('an error is JSON, even for a browser that requests a page', async () => {
    const headers = { accept: 'text/html', 'sec-fetch-dest': 'document' }
    for (const url of ['/', '/nothing', '/widget', '/widget/x', '/docs/x', '/account/x', '/%zz']) {
      const response = await harnesses.usual.inject({ method: 'GET', url, headers })
      assertRefusal(response, { errors: {} }, 'NOT_FOUND')
    }
  })

  it('no other route responds with HTML', async () => {
    const known = new Set(PAGES.map(({ route }) => route))
    const others = routes.filter(({ url }) => !known.has(url) && !isDocument(url))
    for (const { method, url } of others) {
      const response = await harnesses.usual.inject({ method, url })
      assert.doesNotMatch(
        String(response.headers['content-type']),
        /html|xml/,
        `${method} ${url} needs a row`,
      )
    }
    const registered = new Set(routes.map(({ url }) => url))
    assert.deepEqual(
      [...known].filter((route) => !registered.has(route)),
      [],
    )
  })
})
