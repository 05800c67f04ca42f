/** A page that carries the wallet through @coffer/embed; behind it stands the backend of a shop. */
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

/** What the page's script keeps for the tests. */
interface Stage {
  events: string[]
  /** The steps in which errors arose. */
  errors: string[]
  /** The callbacks that were asked. */
  calls: string[]
  /** The types of events whose default action the page prevents. */
  prevented: string[]
  /** What the callbacks do, and what they do in real life. */
  backend: Backend
  real: Backend
  options: { serviceUrl: string; clientId: string }
  wallet: Wallet
  mount: () => void
  /** As <coffer-wallet>: some things are set before the element is known, and some after. */
  mountElement: () => void
  /** Delivers a message as the browser would deliver it. */
  forge(data: object, origin: string, source: 'frame' | 'page'): void
}

interface Backend {
  fetchSession: () => Promise<{ sessionToken: string; expiresAt: string } | null>
  saveLink: (link: { linkCode: string }) => Promise<unknown>
  clearLink: () => Promise<unknown>
}

const SCRIPT = (clientId: string) => `
  import { mountWallet } from '/embed.min.js'
  import { defineCofferWallet } from '/element.min.js'
  const ask = async (path, body = {}) => {
    const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(path + ' answered ' + response.status)
    return response
  }
  const backend = {
    async fetchSession() {
      const { session } = await (await ask('/session')).json()
      const expiresAt = new Date(Date.now() + 300_000).toISOString()
      return session && { sessionToken: session, expiresAt }
    },
    saveLink: ({ linkCode }) => ask('/link', { linkCode }),
    clearLink: () => ask('/unlink'),
  }
  const counted = (name) => (...given) => {
    stage.calls.push(name)
    return stage.backend[name](...given)
  }
  const stage = (window.stage = {
    events: [], errors: [], calls: [], prevented: [], backend, real: { ...backend },
    options: {
      serviceUrl: ${JSON.stringify(SERVICE())},
      clientId: ${JSON.stringify(clientId)},
      fetchSession: counted('fetchSession'),
      saveLink: counted('saveLink'),
      clearLink: counted('clearLink'),
      onEvent(event) {
        stage.events.push(event.type)
        if (stage.prevented.includes(event.type)) event.preventDefault()
      },
      onError: (error, during) => void stage.errors.push(during),
    },
    mount: () => void (stage.wallet = mountWallet(document.querySelector('#place'), stage.options)),
    mountElement() {
      const element = (stage.wallet = document.createElement('coffer-wallet'))
      const { serviceUrl, clientId, fetchSession, saveLink, clearLink } = stage.options
      document.body.append(element)
      Object.assign(element, { fetchSession, saveLink })
      defineCofferWallet()
      defineCofferWallet()
      element.setAttribute('service-url', serviceUrl)
      element.setAttribute('client-id', clientId)
      for (const name of ['wallet-loaded', 'logout-request', 'error']) {
        document.addEventListener('coffer:' + name, (event) => {
          stage.events.push(event.type)
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
  addEventListener('unhandledrejection', () => stage.errors.push('unhandled'))`

/** The page is strict: what the package does has to work under it. */
const POLICY = `default-src 'self'; script-src 'self' 'unsafe-inline'; frame-src *`
const DIST = join(import.meta.dirname, '../embed/dist')

type LinkedShop = Shop & { app: TestApp }

export class Embed {
  readonly page: Page
  readonly shop: LinkedShop
  readonly #origin: string
  readonly #tools: Tools
  #stage: JSHandle<Stage> | undefined

  constructor(page: Page, shop: LinkedShop, origin: string, tools: Tools) {
    this.page = page
    this.shop = shop
    this.#origin = origin
    this.#tools = tools
  }

  /** Opens the page and mounts the wallet, or does something else. */
  async open(prepare: (stage: Stage) => void = ({ mount }) => mount()) {
    await this.page.goto(this.#origin)
    const find = () => (globalThis as unknown as { stage: Stage }).stage
    this.#stage = await this.page.evaluateHandle(find)
    await this.run(prepare)
  }

  /** Opens the page with the wallet of somebody who has 10.00. */
  async openLinked(prepare?: (stage: Stage) => void) {
    await this.link()
    await this.open(prepare)
  }

  async link() {
    const user = await makeLinkedUser(this.#tools, this.shop.app, 10_00n)
    this.shop.serviceUserId = user.serviceUserId
  }

  async run(act: (stage: Stage) => void) {
    await this.#stage?.evaluate(act)
  }

  async forge(data: object, origin: string, source: 'frame' | 'page') {
    await this.#stage?.evaluate((stage, given) => stage.forge(...given), [
      data,
      origin,
      source,
    ] as const)
  }

  async notes() {
    const notes = await this.#stage?.evaluate(({ events, errors, calls }) => ({
      events,
      errors,
      calls,
    }))
    return notes ?? { events: [], errors: [], calls: [] }
  }

  async events() {
    return (await this.notes()).events
  }

  /** The frame that the person sees: another one may be coming behind it. */
  get widget() {
    return this.page.frameLocator('iframe:visible')
  }

  get frames() {
    return this.page.locator('iframe')
  }

  get door() {
    return this.widget.getByRole('heading', { name: 'Log in to your wallet' })
  }

  get notice() {
    return this.page.getByRole('alert')
  }

  balance(amount = '$10.00') {
    return this.widget.getByText(amount, { exact: true }).first()
  }

  async click(name: 'Add money' | 'Not you? Switch account') {
    await this.widget.getByRole('button', { name }).click()
  }

  async clickNotice(name = 'Try again') {
    await this.notice.getByRole('button', { name }).click()
  }

  /** Ends every session, and has the widget notice it now. */
  async endSessions() {
    await this.#tools.admin.query('update directory.widget_sessions set expires_at = now()')
    const widget = this.page.frames().find((frame) => frame.url().startsWith(SERVICE()))
    await widget?.evaluate(() => dispatchEvent(new Event('focus')))
  }
}

export const test = base.extend<{ embed: Embed }>({
  embed: async ({ window, makeShop, tools }, use) => {
    const server = createServer()
    await once(server.listen(0), 'listening')
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    const shop = await makeShop({ allowedIframeParents: [origin] })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      answer(shop, request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
    })
    await use(new Embed(window, shop, origin, tools))
    server.closeAllConnections()
    server.close()
  },
})

async function answer(shop: LinkedShop, request: IncomingMessage, response: ServerResponse) {
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
      <label>Search <input></label><div id="place"></div>
      <script type="module">${SCRIPT(shop.app.clientId)}</script></html>`)
  }
}
