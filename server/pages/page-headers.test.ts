/** The framing and content policy of every HTML page. A new page needs a row, or the last test fails. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { startWithRoutes, type RegisteredRoute } from '../test/list-routes.ts'
import {
  ACCOUNT_TOPUP,
  ACCOUNT_TOPUP_WINDOW,
  ACCOUNT_TOPUP_WITH_SANDBOX,
  API_REFERENCE,
  CLIENT_SECRET,
  DOCS,
  FIRST_PARTY,
  HELP,
  MISSING,
  NONE,
  OWN_WINDOW,
  SANDBOX_ORIGIN,
  STRIPE_ENV,
  TOPUP,
  TOPUP_WINDOW,
  TOPUP_WITH_SANDBOX,
  WIDGET,
  assertPage,
  directivesOf,
  type Directives,
  type Headers,
} from '../test/tables/page-policies.ts'
import { assertRefusal, addShop } from '../test/setup.ts'
import { mintSession, openShop, type Shop } from '../test/shop.ts'

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
  {
    title: 'the top-up page at /account',
    route: '/account/topup',
    headers: ACCOUNT_TOPUP_WINDOW,
    policy: ACCOUNT_TOPUP,
  },
  {
    title: 'the top-up page at /account with a sandbox instead of Stripe',
    route: '/account/topup',
    on: 'sandbox',
    headers: ACCOUNT_TOPUP_WINDOW,
    policy: ACCOUNT_TOPUP_WITH_SANDBOX,
  },
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

const isIcon = (url: string) => /^\/favicon\.(svg|ico)$/.test(url)

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
      const shop = await openShop(await addShop(harness))
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
    const shop = await openShop(await addShop(harnesses.usual), { allowedIframeParents: [] })
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

  it('a page that does not exist is a page for browsers, and JSON for all others', async () => {
    const urls = ['/nothing', '/widget', '/widget/x', '/docs/x', '/account/x', '/api', '/api/x']
    for (const url of ['/', '/%zz', ...urls]) {
      for (const accept of ['*/*', 'application/json', undefined]) {
        const headers = accept === undefined ? {} : { accept }
        const response = await harnesses.usual.inject({ method: 'GET', url, headers })
        assertRefusal(response, { errors: {} }, 'NOT_FOUND')
      }
      const headers = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'document' }
      const response = await harnesses.usual.inject({ method: 'GET', url, headers })
      if (url.startsWith('/api') || url === '/%zz') {
        assertRefusal(response, { errors: {} }, 'NOT_FOUND')
        continue
      }
      assert.equal(response.statusCode, url === '/' ? 200 : 404)
      const isDoc = url.startsWith('/docs')
      assertPage(response, isDoc ? DOCS : MISSING, { vary: 'Accept' })
      assert.match(response.body, url === '/' ? /<h1>Coffer/ : /<h1[^>]*>Page not found/)
      assert(response.body.includes(isDoc ? '/docs/site.css' : '/favicon.svg'))
      const post = await harnesses.usual.inject({ method: 'POST', url, headers })
      assertRefusal(post, { errors: {} }, 'NOT_FOUND')
    }
  })

  it('the icon of the pages exists', async () => {
    for (const url of ['/favicon.svg', '/favicon.ico', '/docs/mark.svg']) {
      const { statusCode, headers } = await harnesses.usual.inject({ method: 'GET', url })
      assert.deepEqual([statusCode, headers['content-type']], [200, 'image/svg+xml'])
      assert.match(String(headers['content-security-policy']), /^default-src 'none';.* sandbox$/)
    }
    for (const url of ['/account', '/docs', '/docs/api/']) {
      const { body } = await harnesses.usual.inject({ method: 'GET', url })
      if (url === '/docs') assert.match(body, /<title>Coffer documentation<\/title>/)
      const icon = /<link rel="icon" href="([^"]+)"/.exec(body)?.[1]
      assert.equal(icon, url === '/account' ? '/favicon.svg' : '/docs/mark.svg')
    }
  })

  it('no other route responds with HTML', async () => {
    const known = new Set(PAGES.map(({ route }) => route))
    const others = routes.filter(
      ({ url }) => ![known.has(url), isDocument(url), isIcon(url)].includes(true),
    )
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
