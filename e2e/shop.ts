/**
 * A client app as the specification describes it, which also exchanges link codes: a page that embeds the widget and
 * listens, and a backend that stores serviceUserId and creates sessions. It runs on a different site than the service.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createProof, type TestApp } from '../server/test/factories.ts'

export interface Shop {
  origin: string
  /** The id that the backend stored for its one user; undefined: not linked. */
  serviceUserId: string | undefined
  sessions: string[]
  /** One for the session of its one user. */
  proof: ReturnType<typeof createProof>
  app: TestApp | undefined
  close(): Promise<void>
}

export interface ShopOptions {
  serviceUrl: string
  /** More attributes of the frame. */
  attributes?: string
  /** What the frame may do. */
  allow?: string
  /** More parameters of the frame's URL. */
  parameters?: Record<string, string>
  host?: string
  /** Pass parentOrigin when a session is created. */
  bindsSessions?: boolean
}

export async function openShop(options: ShopOptions): Promise<Shop> {
  const shop: Shop = {
    origin: '',
    serviceUserId: undefined,
    sessions: [],
    proof: createProof(),
    app: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    respond(shop, options, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  shop.origin = `http://${options.host ?? 'localhost'}:${port}`
  return shop
}

async function respond(
  shop: Shop,
  options: ShopOptions,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const url = new URL(request.url ?? '/', shop.origin)
  const { challenge } = shop.proof
  if (url.pathname === '/link') {
    const { linkCode } = await readJson(request)
    const { status, body } = await askService(shop, options, '/api/server/link/exchange', {
      linkCode,
      verifier: shop.proof.verifier,
    })
    if (status === 200) shop.serviceUserId = String(body['serviceUserId'])
    response.writeHead(status).end('{}')
  } else if (url.pathname === '/unlink') {
    shop.serviceUserId = undefined
    response.end(JSON.stringify({ challenge }))
  } else if (url.pathname === '/session') {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ session: await createSession(shop, options), challenge }))
  } else {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(renderPage(options, url, challenge))
  }
}

async function createSession(shop: Shop, options: ShopOptions): Promise<string | null> {
  if (shop.serviceUserId === undefined) return null
  const { serviceUserId } = shop
  const parentOrigin = options.bindsSessions ? shop.origin : undefined
  const { status, body } = await askService(shop, options, '/api/widget/session', {
    serviceUserId,
    parentOrigin,
  })
  if (status !== 200) {
    shop.serviceUserId = undefined
    return null
  }
  shop.sessions.push(String(body['sessionToken']))
  return String(body['sessionToken'])
}

async function askService(shop: Shop, { serviceUrl }: ShopOptions, path: string, fields: object) {
  const { clientId, clientSecret } = shop.app as TestApp
  const response = await fetch(serviceUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, ...fields }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return JSON.parse(text) as Record<string, unknown>
}

/** With ?frame=… the page frames that URL as it is; otherwise the wallet, as a client app does. */
function renderPage(
  { serviceUrl, allow = 'payment *', attributes = '', parameters = {} }: ShopOptions,
  url: URL,
  challenge: string,
) {
  const framed = url.searchParams.get('frame')
  const script = `
    const messages = (window.messages = [])
    const service = ${JSON.stringify(serviceUrl)}
    const frame = document.querySelector('iframe')
    const post = (path, body = {}) => fetch(path, { method: 'POST', body: JSON.stringify(body) })
    window.load = (session) => {
      const url = new URL('/widget/wallet', service)
      for (const [name, value] of Object.entries(${JSON.stringify(parameters)})) url.searchParams.set(name, value)
      if (session) url.searchParams.set('session', session)
      else url.searchParams.set('challenge', ${JSON.stringify(challenge)})
      frame.src = url
    }
    // The window opens during the user's gesture; its URL is known a moment later.
    window.openTopup = async () => {
      const opened = window.open('', 'topup', 'width=440,height=800')
      const { session } = await (await post('/session')).json()
      opened.location = service + '/widget/topup?session=' + session
    }
    window.start = async () => window.load((await (await post('/session')).json()).session)
    window.addEventListener('message', async (event) => {
      if (event.source === window) return
      messages.push({ origin: event.origin, data: event.data })
      if (event.origin !== service) return
      if (event.data.type === 'SERVICE_AUTH_SUCCESS') {
        await post('/link', { linkCode: event.data.linkCode })
        await window.start()
      }
      if (event.data.type === 'SERVICE_OPEN_TOPUP') await window.openTopup()
      if (event.data.type === 'SERVICE_LOGOUT_REQUEST') {
        await post('/unlink')
        window.load()
      }
    })
    const framed = ${JSON.stringify(framed)}
    if (framed) frame.src = framed
    else window.start()`
  const sandbox =
    'allow-same-origin allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
  return `<!doctype html><title>Shop</title><style>body{margin:0}iframe{border:0;width:100%;height:900px}</style>
<iframe title="Wallet" allow="${allow}" sandbox="${sandbox}" ${attributes}></iframe>
<script>${script.replaceAll('</', '<\\/')}</script>`
}
