/** A page that embeds the wallet with @coffer/embed, and the backend of a shop behind it. */
import type { JSHandle, Page } from '@playwright/test'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import type { Shop } from './shop.ts'
import { SERVICE, test as base, type Tools } from './setup.ts'

interface Wallet {
  reload(): void
  openTopup(): void
  destroy(): void
}

/** State that the page's script keeps for the tests. */
interface TestState {
  events: string[]
  /** The steps in which errors occurred. */
  errors: string[]
  /** The callbacks that were called. */
  calls: string[]
  /** The types of events whose default action the page prevents. */
  prevented: string[]
  /** What the callbacks do in the test, and what they do in real use. */
  backend: Backend
  real: Backend
  options: { serviceUrl: string; clientId: string }
  wallet: Wallet
  mount: () => void
  /** Mounts <coffer-wallet>: some properties are set before the element is defined, and some after. */
  mountElement: () => void
  /** Delivers a message as the browser would deliver it. */
  forge(data: object, origin: string, source: 'frame' | 'page'): void
}

interface Backend {
  fetchSession: () => Promise<{ sessionToken: string; expiresAt: string } | { challenge: string }>
  saveLink: (link: { linkCode: string }) => Promise<unknown>
  clearLink: () => Promise<unknown>
}

const SCRIPT = (clientId: string) => `
  import { mountWallet } from '/embed.min.js'
  import { defineCofferWallet } from '/element.min.js'
  const ask = async (path, body = {}) => {
    const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(path + ' answered ' + response.status)
    return response.json()
  }
  const backend = {
    async fetchSession() {
      const { session, challenge } = await ask('/session')
      const expiresAt = new Date(Date.now() + 300_000).toISOString()
      return session ? { sessionToken: session, expiresAt } : { challenge }
    },
    saveLink: ({ linkCode }) => ask('/link', { linkCode }),
    clearLink: () => ask('/unlink'),
  }
  const counted = (name) => (...given) => {
    testState.calls.push(name)
    return testState.backend[name](...given)
  }
  const testState = (window.testState = {
    events: [], errors: [], calls: [], prevented: [], backend, real: { ...backend },
    options: {
      serviceUrl: ${JSON.stringify(SERVICE())},
      clientId: ${JSON.stringify(clientId)},
      fetchSession: counted('fetchSession'),
      saveLink: counted('saveLink'),
      clearLink: counted('clearLink'),
      onEvent(event) {
        // The heights depend on the layout.
        if (event.type !== 'SERVICE_RESIZED') testState.events.push(event.type)
        if (testState.prevented.includes(event.type)) event.preventDefault()
      },
      onError: (error, during) => void testState.errors.push(during),
    },
    mount: () => void (testState.wallet = mountWallet(document.querySelector('#mount'), testState.options)),
    mountElement() {
      const element = (testState.wallet = document.createElement('coffer-wallet'))
      const { serviceUrl, clientId, fetchSession, saveLink, clearLink } = testState.options
      document.body.append(element)
      Object.assign(element, { fetchSession, saveLink })
      defineCofferWallet()
      defineCofferWallet()
      element.setAttribute('service-url', serviceUrl)
      element.setAttribute('client-id', clientId)
      for (const name of ['wallet-loaded', 'logout-request', 'error']) {
        document.addEventListener('coffer:' + name, (event) => {
          testState.events.push(event.type)
          event.preventDefault()
        })
      }
      setTimeout(() => Object.assign(element, { clearLink }), 100)
    },
    forge(data, origin, from) {
      const source = from === 'frame' ? document.querySelector('iframe').contentWindow : window
      dispatchEvent(new MessageEvent('message', { data, origin, source }))
    },
  })
  addEventListener('unhandledrejection', () => testState.errors.push('unhandled'))`

/** The page has a strict policy, and the package must work under it. */
const POLICY = `default-src 'self'; script-src 'self' 'unsafe-inline'; frame-src *`
const DIST = join(import.meta.dirname, '../embed/dist')

type LinkedShop = Shop & { app: TestApp }

export class Embed {
  readonly page: Page
  readonly shop: LinkedShop
  readonly #origin: string
  readonly #tools: Tools
  #testState: JSHandle<TestState> | undefined

  constructor(page: Page, shop: LinkedShop, origin: string, tools: Tools) {
    this.page = page
    this.shop = shop
    this.#origin = origin
    this.#tools = tools
  }

  /** Opens the page and mounts the wallet, or does something else. */
  async open(prepare: (testState: TestState) => void = ({ mount }) => mount()) {
    await this.page.goto(this.#origin)
    const find = () => (globalThis as unknown as { testState: TestState }).testState
    this.#testState = await this.page.evaluateHandle(find)
    await this.run(prepare)
  }

  /** Opens the page with the wallet of a person who has 10.00. */
  async openLinked(prepare?: (testState: TestState) => void) {
    await this.link()
    await this.open(prepare)
  }

  async link() {
    const user = await makeLinkedUser(this.#tools, this.shop.app, 10_00n)
    this.shop.serviceUserId = user.serviceUserId
  }

  async run(act: (testState: TestState) => void) {
    await this.#testState?.evaluate(act)
  }

  async forge(data: object, origin: string, source: 'frame' | 'page') {
    await this.#testState?.evaluate((testState, given) => testState.forge(...given), [
      data,
      origin,
      source,
    ] as const)
  }

  async notes() {
    const notes = await this.#testState?.evaluate(({ events, errors, calls }) => ({
      events,
      errors,
      calls,
    }))
    return notes ?? { events: [], errors: [], calls: [] }
  }

  async events() {
    return (await this.notes()).events
  }

  /** The visible frame: another one may be loading behind it. */
  get widget() {
    return this.page.frameLocator('iframe:visible')
  }

  get frames() {
    return this.page.locator('iframe')
  }

  get signIn() {
    return this.widget.getByRole('heading', { name: 'Log in to your wallet' })
  }

  get notice() {
    return this.page.getByRole('alert')
  }

  balance(amount = '$10.00') {
    return this.widget.getByText(amount, { exact: true }).first()
  }

  async click(name: 'Add money') {
    await this.widget.getByRole('button', { name }).click()
  }

  async switchAccount() {
    await this.widget.getByRole('button', { name: 'Not you? Switch account' }).click()
    await this.widget.getByRole('button', { name: 'Switch account', exact: true }).click()
  }

  async clickNotice(name = 'Try again') {
    await this.notice.getByRole('button', { name }).click()
  }

  /** Ends every session, and lets the widget notice it now. */
  async endSessions() {
    await this.#tools.admin.query('update directory.widget_sessions set expires_at = now()')
    const widget = this.page.frames().find((frame) => frame.url().startsWith(SERVICE()))
    await widget?.evaluate(() => dispatchEvent(new Event('focus')))
  }
}

interface Fixtures {
  /** The server of the page. */
  host: { shop: LinkedShop; origin: string }
  embed: Embed
}

export const test = base.extend<Fixtures>({
  host: async ({ makeShop }, use) => {
    const server = createServer()
    await once(server.listen(0), 'listening')
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    const shop = await makeShop({ allowedIframeParents: [origin] })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      respond(shop, request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
    })
    await use({ shop, origin })
    server.closeAllConnections()
    server.close()
  },
  embed: async ({ window, host: { shop, origin }, tools }, use) => {
    await use(new Embed(window, shop, origin, tools))
  },
})

async function respond(shop: LinkedShop, request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? '/'
  if (request.method === 'POST') {
    const body = await readText(request)
    const answered = await fetch(shop.origin + path, { method: 'POST', body })
    response.writeHead(answered.status).end(await answered.text())
  } else if (path.endsWith('.js')) {
    response.setHeader('Content-Type', 'text/javascript')
    response.end(readFileSync(join(DIST, path)))
  } else {
    response.setHeader('Content-Type', 'text/html')
    response.setHeader('Content-Security-Policy', POLICY)
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
      <label>Search <input></label><div id="mount"></div>
      <script type="module">${SCRIPT(shop.app.clientId)}</script></html>`)
  }
}
