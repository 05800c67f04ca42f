/** The code blocks of embed/README.md on a page, unchanged, with the example shop's backend behind them. */
import { expect } from '@playwright/test'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startShop, type RunningShop } from '../example/start-shop.ts'
import { ROOT } from '../scripts/copy-checkout.ts'
import { findFreePorts } from '../scripts/find-free-ports.ts'
import { readBlocks } from '../scripts/read-blocks.ts'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import { makeClientApp } from '../server/test/factories.ts'
import { seesWallet, signUp } from './sign-in.ts'
import { newPerson, SERVICE, test as base } from './setup.ts'

const texts = readBlocks(readFileSync(`${ROOT}embed/README.md`, 'utf8')).map(({ text }) => text)
const [mount = '', define = '', element = '', fill = '', plain = ''] = texts
const post = mount.slice(mount.indexOf('async function post'))

/** What the reader already has: the package, and the code that handles a new balance. */
const BEFORE = `<!doctype html><meta charset="utf-8"><title>Readme</title>
<script type="importmap">{ "imports": { "@coffer/embed": "/embed.min.js", "@coffer/embed/element": "/element.min.js" } }</script>
<script>globalThis.refreshPrices = () => {}; ${post}</script>`
const script = (...code: string[]) => `<script type="module">${code.join('\n')}</script>`
const callbacks = `const fetchSession = () => post('/wallet/session')
const saveLink = ({ linkCode }) => post('/wallet/link', { linkCode })
const clearLink = () => post('/wallet/unlink')`

const PAGES = {
  'Mount it': `<div id="wallet"></div>${script(mount)}`,
  'As a custom element': `${element}${script(define, callbacks, fill)}`,
  'Without this package': plain,
}

interface ShopPage {
  url: string
  shop: RunningShop
}

/** Shows the page instead of the shop's own; everything else comes from the shop. */
const test = base.extend<{ body: string; shopPage: ShopPage }>({
  body: ['', { option: true }],
  shopPage: async ({ tools, body }, use) => {
    const [front = 0, back = 0] = await findFreePorts(2)
    const url = `http://localhost:${front}`
    const { clientId, clientSecret } = await makeClientApp(tools, { allowedIframeParents: [url] })
    const coffer = { serviceUrl: SERVICE(), clientId, clientSecret }
    const shop = await startShop({ coffer, file: ':memory:', port: back, url })
    const html = (BEFORE + body)
      .replaceAll('https://wallet.example.com', SERVICE())
      .replaceAll('app_…', clientId)
    const server = createServer((request, response) => {
      const file = /^\/(embed|element)\.min\.js$/.exec(request.url ?? '')?.[0]
      if (request.url === '/') response.setHeader('Content-Type', 'text/html').end(html)
      else if (file) {
        const code = readFileSync(`${ROOT}embed/dist${file}`)
        response.setHeader('Content-Type', 'text/javascript').end(code)
      } else void askShop(back, request).then((text) => response.end(text))
    }).listen(front, 'localhost')
    await once(server, 'listening')
    await use({ url, shop })
    server.closeAllConnections()
    server.close()
    await shop.close()
    await activateClientApp(tools.db, clientId, false)
  },
})

async function askShop(port: number, request: IncomingMessage): Promise<string> {
  const { method = '', headers } = request
  const passed = Object.fromEntries(
    ['origin', 'cookie', 'content-type'].map((name) => [name, String(headers[name])]),
  )
  const body = method === 'POST' ? await buffer(request) : null
  const response = await fetch(`http://localhost:${port}${request.url}`, {
    method,
    headers: passed,
    body,
  })
  return response.text()
}

test('embed/README.md has the blocks that are known here', () => {
  expect(texts).toHaveLength(5)
})

for (const [title, body] of Object.entries(PAGES)) {
  test.describe(`embed/README.md, ${title}`, () => {
    test.use({ body })

    test('links, shows the wallet, tops up and switches accounts', async ({ window, shopPage }) => {
      const { url, shop } = shopPage
      const errors: string[] = []
      window.on('pageerror', (error) => errors.push(error.message))
      const user = shop.store.addUser('ada', 'coffee') ?? { id: 0, name: '' }
      const cookie = { name: 'shop', value: shop.store.logIn(user), url }
      await window.context().addCookies([cookie])
      await window.goto(url)
      const widget = window.frameLocator('iframe:visible')
      const person = newPerson()
      await signUp(widget, person)
      await seesWallet(widget, person)
      expect(shop.store.findUser('ada', 'coffee')?.serviceUserId).toMatch(/^su_/)
      const opening = window.waitForEvent('popup')
      await widget.getByRole('button', { name: 'Add money' }).click()
      await expect((await opening).getByRole('heading', { name: 'Add money' })).toBeVisible()
      await widget.getByRole('button', { name: 'Not you? Switch account' }).click()
      await widget.getByRole('button', { name: 'Switch account', exact: true }).click()
      await expect(widget.getByRole('heading', { name: 'Log in to your wallet' })).toBeVisible()
      expect(shop.store.findUser('ada', 'coffee')).not.toHaveProperty('serviceUserId')
      expect(errors).toEqual([])
    })
  })
}
