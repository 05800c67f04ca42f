/** The attack: a script on one origin, or a client that chooses its headers, reaches what belongs to another origin. */
import { ACCOUNT_ENDPOINTS, logInToAccount } from '@coffer/contract/account/account'
import { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import { logInToAdmin, readOperator } from '@coffer/contract/admin/sign-in'
import { CLIENT_SECRET_ENDPOINTS } from '@coffer/contract/client-secret'
import type { Endpoint } from '@coffer/contract/endpoint'
import { SERVER_ENDPOINTS } from '@coffer/contract/server/wallet'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget/widget'
import { WIDGET_CARD_ENDPOINTS } from '@coffer/contract/widget/cards'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makePerson } from '../test/account-setup.ts'
import { makeOperator } from '../test/admin-setup.ts'
import type { Harness } from '../test/harness.ts'
import { startWithRoutes, type RegisteredRoute } from '../test/list-routes.ts'
import { atHost, HOSTS, SEPARATE_ENV, type HostName } from '../test/separate-hosts.ts'
import { assertRefusal } from '../test/setup.ts'
import { PASSWORD } from '../test/sign-in.ts'

type Home = HostName | 'any' | 'all with assets'
type Method = 'GET' | 'POST' | 'PUT' | 'OPTIONS'

const CONTRACT: Record<HostName, Endpoint[]> = {
  public: Object.values({
    ...SERVER_ENDPOINTS,
    ...WIDGET_ENDPOINTS,
    ...WIDGET_PAGE_ENDPOINTS,
    ...WIDGET_CARD_ENDPOINTS,
  }),
  account: Object.values({ ...ACCOUNT_ENDPOINTS, ...CLIENT_SECRET_ENDPOINTS }),
  admin: Object.values({ ...ADMIN_SIGN_IN_ENDPOINTS, ...ADMIN_ENDPOINTS }),
  docs: [],
}
/** The routes that are not in the contract. */
const OTHERS: Record<string, Home> = {
  '/livez': 'any',
  '/readyz': 'any',
  '/metrics': 'any',
  '/api/processor/webhook': 'public',
  '/widget/wallet': 'public',
  '/widget/topup': 'public',
  '/account': 'account',
  '/account/client-secret': 'account',
  '/account/topup': 'account',
  '/admin': 'admin',
  '/admin/*': 'admin',
  '/llms.txt': 'docs',
  '/favicon.svg': 'all with assets',
  '/favicon.ico': 'all with assets',
}
const NAMES = Object.keys(HOSTS) as HostName[]

/** Where a route is served. A new route needs a row. */
function homeOf({ url, endpoint }: RegisteredRoute): Home {
  if (endpoint) return NAMES.find((name) => CONTRACT[name].includes(endpoint)) ?? assert.fail(url)
  if (/^\/docs(\/|$)/.test(url)) return 'docs'
  if (url.startsWith('/assets/')) return 'all with assets'
  return OTHERS[url] ?? assert.fail(`${url} needs a row`)
}

function isServedAt(home: Home, name: HostName): boolean {
  return home === 'any' || home === name || (home === 'all with assets' && name !== 'docs')
}

/** What a client can tell apart. */
function appearanceOf({ statusCode, headers, body }: LightMyRequestResponse) {
  const { 'x-request-id': _id, date: _date, ...others } = headers
  return { statusCode, headers: { ...others }, body }
}

describe('separate origins', () => {
  let harness: Harness
  let routes: RegisteredRoute[]
  before(async () => {
    // A trusted proxy may forward X-Forwarded-Host from the client.
    const started = await startWithRoutes({ ...SEPARATE_ENV, TRUST_PROXY: 'true' })
    harness = started.harness
    routes = started.routes
  })
  after(() => harness.end())

  const ask = (
    host: string,
    url: string,
    method: Method = 'GET',
    headers: Record<string, string> = {},
  ) => harness.inject({ method, url, headers: { host, ...headers } })
  const isAbsent = async (response: LightMyRequestResponse, host: string, method: Method) =>
    assert.deepEqual(
      appearanceOf(response),
      appearanceOf(await ask(host, '/there-is-nothing', method)),
    )

  for (const name of NAMES) {
    it(`${HOSTS[name]} serves only its own routes; the others do not exist there`, async () => {
      const host = HOSTS[name]
      let served = 0
      for (const route of routes) {
        const method = route.method as 'GET' | 'POST'
        const url = route.url.replace('*', 'people')
        const response = await ask(host, url, method)
        const home = homeOf(route)
        const label = `${method} ${host}${url}`
        if (isServedAt(home, name)) {
          served++
          assert(![307, 404, 421].includes(response.statusCode), label)
        } else if (name === 'public' && !url.startsWith('/api/')) {
          assert.equal(response.statusCode, 307, label)
          assert.equal(response.headers.location, `https://${HOSTS[home as HostName]}${url}`)
        } else {
          await isAbsent(response, host, method)
        }
      }
      assert(served > 10, `${served} routes`)
    })
  }

  it('405 METHOD_NOT_ALLOWED only on the host that serves the path; the others have no such path', async () => {
    const paths = routes.filter(({ url, endpoint }) => endpoint && !/[*:]/.test(url))
    for (const route of paths) {
      for (const name of NAMES) {
        const host = HOSTS[name]
        for (const method of ['PUT', 'OPTIONS'] as const) {
          const response = await ask(host, route.url, method)
          if (homeOf(route) === name) assert.equal(response.statusCode, 405, `${host}${route.url}`)
          else await isAbsent(response, host, method)
        }
      }
      assert.equal((await ask('evil.example', route.url, 'PUT')).statusCode, 421)
    }
  })

  it('the front page and the missing pages of the documentation are on their own hosts', async () => {
    const accept = 'text/html'
    for (const name of NAMES) {
      const home = await ask(HOSTS[name], '/', 'GET', { accept })
      assert.equal(home.statusCode, name === 'public' ? 200 : 404, name)
      const doc = await ask(HOSTS[name], '/docs/x', 'GET', { accept })
      assert.equal(doc.body.includes('/docs/site.css'), name === 'docs', name)
    }
  })

  it('421 on any other host, with the same response for every path, except for probes', async () => {
    const others = [
      'evil.example',
      'admin.wallet.example.evil.example',
      'xadmin.wallet.example',
      'admin.wallet.example.',
      'x@admin.wallet.example',
      'admin.wallet.example:443:443',
      'admin.wallet.example, docs.wallet.example',
      'admin.wallet.example/',
      '127.0.0.1:8080',
      'localhost',
      ' ',
    ]
    const expected = appearanceOf(await ask('evil.example', '/'))
    assert.equal(expected.statusCode, 421)
    assert.doesNotMatch(JSON.stringify(expected), /wallet\.example/)
    const urls = ['/admin', '/api/admin/people', '/api/server/wallet', '/docs', '/nothing']
    for (const host of others) {
      for (const url of urls) assert.deepEqual(appearanceOf(await ask(host, url)), expected, host)
      for (const url of ['/livez', '/readyz', '/metrics']) {
        assert.equal((await ask(host, url)).statusCode, 200)
      }
    }
  })

  it('the host may have a port and capital letters, and no other header replaces it', async () => {
    for (const host of ['admin.wallet.example:8443', 'ADMIN.wallet.Example']) {
      assert.equal((await ask(host, '/admin')).statusCode, 200)
    }
    const forged = {
      'x-forwarded-host': HOSTS.admin,
      'x-host': HOSTS.admin,
      forwarded: `host=${HOSTS.admin}`,
      'x-original-url': '/admin',
      ':authority': HOSTS.admin,
    }
    for (const [name, value] of Object.entries(forged)) {
      await isAbsent(
        await ask(HOSTS.docs, '/api/admin/people', 'GET', { [name]: value }),
        HOSTS.docs,
        'GET',
      )
    }
  })

  it('403 ORIGIN_NOT_ALLOWED for a change that a page of another origin requests', async () => {
    const targets = [
      [logInToAdmin, 'admin'],
      [logInToAccount, 'account'],
    ] as const
    for (const [endpoint, home] of targets) {
      for (const name of NAMES) {
        const response = await harness.inject({
          method: 'POST',
          url: endpoint.path,
          headers: { host: HOSTS[home], origin: `https://${HOSTS[name]}` },
          payload: { email: 'nobody@example.com', password: PASSWORD },
        })
        const { code } = response.json<{ code: string }>()
        assert.equal(code, name === home ? 'LOGIN_FAILED' : 'ORIGIN_NOT_ALLOWED')
      }
    }
  })

  it('403 ORIGIN_NOT_ALLOWED for a page of another host that reads with the cookie of an operator', async () => {
    const host = atHost(harness, HOSTS.admin)
    const { cookie } = await makeOperator(host, 'viewer')
    const read = (site: string) =>
      host.inject({
        method: 'GET',
        url: readOperator.path,
        headers: { cookie, 'sec-fetch-site': site },
      })
    for (const site of ['same-origin', 'none']) assert.equal((await read(site)).statusCode, 200)
    for (const site of ['same-site', 'cross-site']) {
      assertRefusal(await read(site), readOperator, 'ORIGIN_NOT_ALLOWED')
    }
  })

  it('the API reference names the address of the API, which is not on its own host', async () => {
    for (const url of ['/docs/openapi.json', '/docs/api/']) {
      const { body } = await ask(HOSTS.docs, url)
      assert(body.includes(`"servers":[{"url":"https://${HOSTS.public}"`), url)
    }
  })

  it('a login cookie belongs to one host', async () => {
    const host = atHost(harness, HOSTS.account)
    const { email } = await makePerson(host)
    const response = await host.inject({
      method: 'POST',
      url: logInToAccount.path,
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { email, password: PASSWORD },
    })
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    assert.equal(cookies.length, 2)
    for (const cookie of cookies) {
      assert.match(cookie, /^__Host-/)
      assert.doesNotMatch(cookie, /domain/i)
    }
  })
})
