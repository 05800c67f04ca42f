import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { WidgetPageData } from '../../web/page-data.ts'
import { unlink } from '../identity/link.ts'
import { activateClientApp } from '../client-app/activate-client-app.ts'
import { mintSession, openShop, type Shop } from '../test/shop.ts'
import { assertRefusal, withCuttableDatabase, openSetup, type Setup } from '../test/setup.ts'

/** The complete policy of the page at this host, with these frame ancestors. */
const policyOf = (host: string, ancestors: string[]) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'none'; base-uri 'none'; frame-src 'none'; connect-src ${host}/api/widget/; frame-ancestors ${ancestors.join(' ')}; require-trusted-types-for 'script'; trusted-types 'none'`

describe('GET /widget/wallet', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  function open(query: Record<string, string>, headers: Record<string, string> = {}) {
    const url = `/widget/wallet?${new URLSearchParams(query)}`
    return setup.harness.inject({ method: 'GET', url, headers })
  }
  const from = (origin: string) => ({ referer: `${origin}/`, 'sec-fetch-dest': 'iframe' })

  function expire(session: string) {
    return setup.harness.admin.query(
      `update directory.widget_sessions set expires_at = now() - interval '1 hour' where token_hash = $1`,
      [hash('sha256', session, 'buffer')],
    )
  }

  function dataOf({ body }: LightMyRequestResponse): WidgetPageData {
    const pattern = /<script type="application\/json" id="page-data">(.*)<\/script>/
    return JSON.parse(pattern.exec(body)?.[1] ?? '') as WidgetPageData
  }

  /** Expects the page of this app, which exactly these origins may frame. */
  function assertPage(
    response: LightMyRequestResponse,
    { app }: Setup,
    ancestors: string[],
    listeners = ancestors,
    host = 'localhost:80',
  ) {
    assert.equal(response.statusCode, 200, response.body)
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    const policy = policyOf(host, ancestors.length > 0 ? ancestors : [`'none'`])
    assert.equal(response.headers['content-security-policy'], policy)
    const data = dataOf(response)
    assert.equal(data.clientId, app.clientId)
    assert.deepEqual(data.listeners, listeners)
    assertHeaders(response)
  }

  /** Expects the help page for developers: no script, no form, no data, and no name of an app. */
  function assertHelp(response: LightMyRequestResponse, hint: RegExp, shops: Shop[] = []) {
    assert.equal(response.statusCode, 200)
    assert.match(response.body, /This wallet cannot be shown here/)
    assert.match(response.body, hint)
    assert.doesNotMatch(response.body, /<script|<form|<input|<img|page-data/)
    const policy = String(response.headers['content-security-policy'])
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'$/,
    )
    for (const { app, parents } of shops) {
      for (const text of [app.clientId, ...parents]) {
        assert(!JSON.stringify(response.headers).includes(text), text)
      }
    }
    assertHeaders(response)
  }

  function assertHeaders({ headers }: LightMyRequestResponse) {
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    const never = /^(x-frame-options|set-cookie|access-control-.*)$/
    assert.deepEqual(
      Object.keys(headers).filter((name) => never.test(name)),
      [],
    )
  }

  it('200 with a live session that has a parentOrigin: only that origin may frame it', async () => {
    const shop = await openShop(setup)
    const session = await mintSession(shop, shop.parents[1])
    assertPage(await open({ session }), shop, [shop.parents[1]])
    assertPage(await open({ session }, from(shop.parents[1])), shop, [shop.parents[1]])
  })

  it('200 with a session and another clientId: the session determines the app', async () => {
    const [shop, other] = [await openShop(setup), await openShop(setup)]
    const session = await mintSession(shop)
    assertPage(await open({ session, clientId: other.app.clientId }), shop, shop.parents)
  })

  it('200 with an unknown clientId: the help page, not the app that lists the embedding page', async () => {
    const shop = await openShop(setup)
    const response = await open({ clientId: 'app_unknown' }, from(shop.parents[0]))
    assertHelp(response, /Add <code>clientId<\/code>/, [shop])
  })

  it('200 with an expired or revoked session: the session still determines the app', async () => {
    const shop = await openShop(setup)
    const [bound, free] = [await mintSession(shop, shop.parents[0]), await mintSession(shop)]
    await expire(bound)
    await expire(free)
    assertPage(await open({ session: bound }), shop, [shop.parents[0]])
    assertPage(await open({ session: free }), shop, shop.parents)
    const revoked = await mintSession(shop)
    await unlink(setup.harness.context.db, shop.app.id, shop.user.id)
    assertPage(await open({ session: revoked }), shop, shop.parents)
  })

  it('200 with an unknown session: clientId determines the app, otherwise the Referer', async () => {
    const shop = await openShop(setup)
    const session = `ws_${randomUUID()}`
    const { clientId } = shop.app
    assertPage(await open({ session, clientId }), shop, shop.parents)
    assertPage(await open({ session }, from(shop.parents[0])), shop, shop.parents)
    assertHelp(await open({ session }), /Add <code>clientId<\/code>/)
  })

  it('200 without a session: clientId determines the app, even without a Referer', async () => {
    const shop = await openShop(setup)
    const { clientId } = shop.app
    assertPage(await open({ clientId }), shop, shop.parents)
    assertPage(await open({ clientId }, from(shop.parents[1])), shop, shop.parents)
    const ours = { host: 'wallet.example', ...from('https://wallet.example') }
    assertPage(await open({ clientId }, ours), shop, shop.parents, shop.parents, ours.host)
  })

  it('200 without a session: a registered Referer determines the app', async () => {
    const shop = await openShop(setup)
    for (const parent of shop.parents) {
      const headers = { referer: `${parent}/cart?item=5`, 'sec-fetch-dest': 'iframe' }
      assertPage(await open({}, headers), shop, shop.parents)
    }
  })

  it('200 for an origin that may open a window, which cannot frame it', async () => {
    const shop = await openShop(setup)
    const { clientId } = shop.app
    const window = { referer: `${shop.opener}/`, 'sec-fetch-dest': 'document' }
    const listeners = [...shop.parents, shop.opener]
    assertPage(await open({ clientId }, window), shop, shop.parents, listeners)
    const session = await mintSession(shop)
    assertPage(await open({ session }, window), shop, shop.parents, listeners)
    assertHelp(await open({ clientId }, from(shop.opener)), /Register this origin/, [shop])
  })

  it('200 with help for a Referer that is not registered, which no header echoes', async () => {
    const shop = await openShop(setup)
    const { clientId } = shop.app
    const sly = shop.parents[0].replace('https://', 'http://')
    for (const origin of ['https://evil.example', `${shop.parents[0]}:444`, sly]) {
      const queries = [{ clientId }, { session: await mintSession(shop) }]
      for (const query of queries) {
        const response = await open(query, from(origin))
        assertHelp(response, /Register this origin/, [shop])
        assert(response.body.includes(`<code>${origin}</code>`))
        assert(!JSON.stringify(response.headers).includes(origin))
      }
      assertHelp(await open({}, from(origin)), /Add <code>clientId<\/code>/, [shop])
    }
  })

  it('200 with help for an origin of two apps, unless clientId names one', async () => {
    const shop = await openShop(setup)
    const other = await openShop(setup, { allowedIframeParents: shop.parents, sharesParents: true })
    assertHelp(await open({}, from(shop.parents[0])), /Several client apps/, [shop, other])
    const { clientId } = other.app
    assertPage(await open({ clientId }, from(shop.parents[0])), other, shop.parents)
  })

  it('200 with help for an inactive app, whether named by session, clientId or Referer', async () => {
    const shop = await openShop(setup)
    const session = await mintSession(shop)
    await activateClientApp(setup.harness.context.db, shop.app.clientId, false)
    const { clientId } = shop.app
    await untilInactive(clientId)
    for (const query of [{ session }, { clientId }]) {
      assertHelp(await open(query), /not active/, [shop])
    }
    assertHelp(await open({}, from(shop.parents[0])), /Add <code>clientId<\/code>/, [shop])
  })

  /** Every process notices the change within a second. */
  async function untilInactive(clientId: string) {
    const { clientApps } = setup.harness.context
    for (;;) {
      if ((await clientApps.find(clientId))?.isActive === false) return
    }
  }

  it('200 with help if nothing names an app, and malicious input is escaped', async () => {
    const hostile = '"><script>alert(1)</script>'
    const ids = ['', 'app_', `app_${'0'.repeat(24)}`, 'a\u0000', hostile, 'x'.repeat(3_000)]
    for (const clientId of ids) assertHelp(await open({ clientId }), /Add <code>clientId<\/code>/)
    assertHelp(await open({ [hostile]: hostile }), /&lt;script&gt;/)
    assertHelp(await open({}, { referer: hostile }), /none was sent/)
    assertHelp(await open({}, { referer: 'data:text/html,x' }), /none was sent/)
  })

  it('200 never contains the session or secrets of the app', async () => {
    const shop = await openShop(setup)
    const session = await mintSession(shop)
    const pages = [await open({ session }), await open({ session }, from('https://evil.example'))]
    for (const { body, headers } of pages) {
      const sinks = body + JSON.stringify(headers)
      const { clientSecret } = shop.app
      const secrets = [session, session.slice(3), clientSecret, shop.user.serviceUserId, 'Ada']
      for (const secret of secrets) assert(!sinks.includes(secret), secret)
    }
  })

  it('200 with the name of the app escaped', async () => {
    const name = `</script><img src=x onerror=alert(1)><!--<script>`
    const shop = await openShop(setup, { name, accentColor: '#0a7c66' })
    const response = await open({ clientId: shop.app.clientId })
    assert.doesNotMatch(response.body, /<img|<!--/)
    assert.equal(response.body.match(/<\/script>/g)?.length, 2)
    assert.deepEqual(dataOf(response), {
      page: 'wallet',
      clientId: shop.app.clientId,
      query: `clientId=${shop.app.clientId}`,
      locale: null,
      appName: name,
      accentColor: '#0a7c66',
      listeners: shop.parents,
      isFromApp: false,
      hasMailer: false,
      isSandbox: false,
      passwordMin: 12,
      hasPasskeys: true,
      serviceName: 'Coffer',
      supportUrl: null,
    })
  })

  it('503 SERVICE_UNAVAILABLE while the database cannot be reached', () =>
    withCuttableDatabase(async ({ harness, app }, _admin, cut) => {
      await cut()
      const url = `/widget/wallet?clientId=${app.clientId.replace(/.$/, '0')}`
      const response = await harness.inject({ method: 'GET', url })
      assertRefusal(response, { errors: {} }, 'SERVICE_UNAVAILABLE')
    }))
})
