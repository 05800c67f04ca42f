/** The shop as an HTTP server. Plain node:http, so that it reads the same in any framework. */
import { createCoffer, type CofferOptions } from '@coffer/sdk'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { trackOpenPages } from './open-pages.ts'
import { renderLogIn, renderShop, type Notice } from './pages.ts'
import { findShortage } from './find-shortage.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { createRoutes, type Tools } from './routes.ts'
import { openStore } from './store.ts'

export interface ShopOptions {
  coffer: CofferOptions
  /** Of the webhook endpoint, or of `listen`. Without it the shop rejects webhooks. */
  webhookSecret?: string | undefined
  /** The SQLite file with users and orders; ':memory:' does not persist them. */
  file: string
  port: number
  host?: string
  /** Where browsers reach it, if that is not where it listens. */
  url?: string | undefined
}

export type RunningShop = Awaited<ReturnType<typeof startShop>>

interface ShopTools extends Tools {
  webhookSecret: string | undefined
}

export async function startShop(options: ShopOptions) {
  const { coffer, webhookSecret, file, port, host = 'localhost', url } = options
  const tools: ShopTools = {
    coffer: createCoffer(coffer),
    store: openStore(file),
    pages: trackOpenPages(),
    webhookSecret,
    origin: '',
  }
  const respond = createResponse(tools, coffer)
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      response.writeHead(500).end('Something went wrong in the shop. Please try again.')
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  tools.origin = url ?? `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    url: tools.origin,
    store: tools.store,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      tools.store.close()
    },
  }
}

function createResponse(tools: ShopTools, { serviceUrl = '', clientId = '' }: CofferOptions) {
  const { store, pages } = tools
  const routes = createRoutes(tools)

  async function showPage(response: ServerResponse, token: string, query: URLSearchParams) {
    const user = store.findLogIn(token)
    const notice = query.get('notice') as Notice | null
    if (!user) return sendPage(response, renderLogIn(notice), serviceUrl)
    const unpaid = store.findOrder(user, query.get('unpaid') ?? '')
    const shortage = await findShortage(tools, user, unpaid)
    const orders = store.listOrders(user)
    const page = renderShop({ user, orders, shortage, notice, serviceUrl, clientId })
    return sendPage(response, page, serviceUrl)
  }

  return async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', tools.origin)
    const token = /(?:^|; )shop=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    if (request.method === 'GET') {
      if (pathname === '/') {
        return showPage(response, token, searchParams)
      }
      if (pathname === '/changes') {
        const user = store.findLogIn(token)
        return user ? pages.add(user, response) : void response.writeHead(401).end()
      }
      return sendAsset(response, pathname)
    }
    // No page sends these requests, so they have no origin and no cookie. The signature proves who sent them.
    if (pathname === '/webhooks') {
      const status = await receiveWebhook(tools, await readBytes(request), request.headers)
      return void response.writeHead(status).end()
    }
    // A page of another site must not act on behalf of the logged-in user.
    if (request.headers.origin !== tools.origin) return void response.writeHead(403).end()
    const body = await readBody(request)
    if (pathname === '/log-in' || pathname === '/sign-up') {
      return logInOrSignUp(tools, response, pathname, body)
    }
    const user = store.findLogIn(token)
    const route = routes[pathname]
    if (route === undefined) return void response.writeHead(404).end()
    if (user === undefined) return void response.writeHead(401).end('{}')
    const result = await route({ user, body, token })
    if (pathname.startsWith('/wallet/')) {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(result))
    } else if (result === 'insufficient') goBack(response, result, body['order'])
    else goBack(response, typeof result === 'string' ? result : undefined)
  }
}

function logInOrSignUp(
  { store }: Tools,
  response: ServerResponse,
  path: '/log-in' | '/sign-up',
  { name = '', password = '' }: Record<string, string>,
) {
  const isNew = path === '/sign-up'
  if (isNew && (name === '' || password.length < 6)) return goBack(response, 'name-taken')
  const user = isNew ? store.addUser(name, password) : store.findUser(name, password)
  if (user === undefined) return goBack(response, isNew ? 'name-taken' : 'log-in-failed')
  response.setHeader('Set-Cookie', `shop=${store.logIn(user)}; HttpOnly; SameSite=Lax; Path=/`)
  goBack(response)
}

const ASSETS: Record<string, { type: string; url: string }> = {
  '/shop.css': { type: 'text/css', url: new URL('./shop.css', import.meta.url).href },
  '/wallet.js': { type: 'text/javascript', url: new URL('./wallet.js', import.meta.url).href },
  '/embed.js': {
    type: 'text/javascript',
    url: new URL('./embed.min.js', import.meta.resolve('@coffer/embed')).href,
  },
}

function sendAsset(response: ServerResponse, path: string) {
  const asset = ASSETS[path]
  if (asset === undefined) return void response.writeHead(404).end()
  response.setHeader('Content-Type', asset.type).end(readFileSync(fileURLToPath(asset.url)))
}

/** Scripts and styles are the shop's own; the one frame is the wallet. */
function sendPage(response: ServerResponse, page: string, serviceUrl: string) {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; frame-src ${serviceUrl}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
  // With same-origin the top-up window could not report back.
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
  response.end(page)
}

function goBack(response: ServerResponse, notice?: string, unpaid?: string) {
  const query = new URLSearchParams({ ...(notice && { notice }), ...(unpaid && { unpaid }) })
  response.writeHead(303, { Location: query.size > 0 ? `/?${query}` : '/' }).end()
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await request.toArray()) as Buffer[])
}

async function readBody(request: IncomingMessage): Promise<Record<string, string>> {
  const text = String(await readBytes(request))
  if (request.headers['content-type']?.startsWith('application/json')) {
    return JSON.parse(text) as Record<string, string>
  }
  return Object.fromEntries(new URLSearchParams(text))
}
