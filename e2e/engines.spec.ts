/** The way of a person and of an operator in Firefox and in WebKit, cross-site, with the pop-up blocker. */
import { expect } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { TOTP } from 'otpauth'
import { startShop, type RunningShop } from '../example/start-shop.ts'
import { startSandbox, type RunningSandbox } from '../sandbox/start-sandbox.ts'
import { stripeEnv } from '../sandbox/stripe-env.ts'
import { findFreePorts } from '../scripts/find-free-ports.ts'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import type { ServiceProcess } from '../server/test/harness.ts'
import { sees, until, type Engine, type View } from './engines/engine.ts'
import { FIREFOX, listMissing, WEBKIT, type Kind } from './engines/kinds.ts'
import { makeOperator, type NewOperator } from './operator.ts'
import { newPerson, SERVICE, test as base, type NewPerson } from './setup.ts'
import { startService } from './start-service.ts'
import { openSession } from './topup-link.ts'

interface ShopKind extends Kind {
  /**
   * The shop has the Cross-Origin-Opener-Policy `same-origin-allow-popups`. With it, WebKit takes the opener from a window
   * that was opened empty, so the top-up page cannot distinguish it from a link and asks whose wallet it is.
   */
  asksOwner: boolean
}
const KINDS: ShopKind[] = [
  { ...FIREFOX, asksOwner: false },
  { ...WEBKIT, asksOwner: true },
]
const PICTURES = 'test-results/engines'
/** A page is painted later than it reports its new text. */
const PAINT_MS = 1000

function skipWithout(kind: Kind) {
  const missing = listMissing(kind)
  test.skip(missing.length > 0, `${missing.join(' and ')} not installed`)
}

let service: ServiceProcess
let sandbox: RunningSandbox

const test = base.extend<{ shop: RunningShop }>({
  shop: async ({ tools }, use) => {
    const [port = 0] = await findFreePorts(1)
    const origins = [`http://localhost:${port}`]
    const lists = { allowedIframeParents: origins, allowedOrigins: origins }
    const app = await makeClientApp(tools, { name: 'Bean & Leaf', ...lists })
    const coffer = { serviceUrl: service.url, ...app }
    const shop = await startShop({ coffer, file: ':memory:', port })
    await use(shop)
    await shop.close()
    await activateClientApp(tools.db, app.clientId, false)
  },
})

test.beforeAll(async () => {
  sandbox = await startSandbox()
  service = await startService({
    ...stripeEnv(sandbox),
    // WebKit keeps no cookie with `Secure` over HTTP.
    ALLOW_HTTP_LOGIN: 'true',
  })
  sandbox.addWebhookEndpoint(`${service.url}/api/processor/webhook`)
})
test.afterAll(async () => {
  await service.kill('SIGINT')
  await sandbox.close()
})

/** The widget is the frame that is visible: while a session is renewed, a second one waits behind it. */
const widgetIn = ({ window }: View): View => ({ window, frame: '#wallet iframe' })

async function signUp(engine: Engine, shop: RunningShop, person: NewPerson) {
  const { main } = engine
  const widget = widgetIn(main)
  await engine.open(shop.url)
  await engine.type(main, { field: 'Name' }, 'bo')
  await engine.type(main, { field: 'Password' }, 'coffee')
  await engine.click(main, { button: 'Sign up' })
  await engine.click(widget, { button: 'Create an account' })
  await engine.type(widget, { field: 'First name' }, person.firstName)
  await engine.type(widget, { field: 'Last name' }, person.lastName)
  await engine.type(widget, { field: 'Email' }, person.email)
  await engine.type(widget, { field: 'Password' }, person.password)
}

async function link(engine: Engine, { firstName }: NewPerson) {
  const widget = widgetIn(engine.main)
  await engine.click(widget, { button: 'Create account' })
  await sees(engine, widget, `Hello, ${firstName}`)
}

function findOpened(engine: Engine, known: string[]): Promise<string> {
  return until('the new window', async () =>
    (await engine.listWindows()).find((each) => !known.includes(each)),
  )
}

async function topUp(engine: Engine, asksOwner: boolean): Promise<View> {
  const { main } = engine
  await engine.click(widgetIn(main), { button: 'Add money' })
  const window = await findOpened(engine, [main.window])
  if (asksOwner) await engine.click({ window }, { button: 'Yes, it is mine' })
  await engine.click({ window }, { button: '$25' })
  await engine.click({ window }, { button: 'Continue' })
  const card = { window, frame: 'iframe[title]' }
  await engine.type(card, { field: 'Card number' }, '4242424242424242')
  await engine.type(card, { field: 'Expiration date' }, '1234')
  await engine.type(card, { field: 'Security code' }, '123')
  await engine.click({ window }, { button: 'Pay' })
  await sees(engine, { window }, '$25.00 added')
  return { window }
}

async function order(engine: Engine) {
  const { main } = engine
  await sees(engine, widgetIn(main), '$25.00')
  await engine.click(main, { button: 'Order Espresso' })
  await engine.click(main, { button: 'Pay order' })
  await sees(engine, main, 'Paid from your wallet')
  await sees(engine, widgetIn(main), '$22.20')
}

async function switchAccount(engine: Engine) {
  const widget = widgetIn(engine.main)
  await engine.click(widget, { button: 'Not you?' })
  await engine.click(widget, { button: 'Switch account' })
  await sees(engine, widget, 'Log in to your wallet')
  expect(await engine.listWindows()).toHaveLength(1)
}

async function openAccount(engine: Engine, { email, password, firstName }: NewPerson) {
  const { main } = engine
  await engine.open(`${service.url}/account`)
  await engine.type(main, { field: 'Email' }, email)
  await engine.type(main, { field: 'Password' }, password)
  await engine.click(main, { button: 'Log in' })
  await sees(engine, main, `Hello, ${firstName}`)
  await sees(engine, main, '$22.20')
}

async function openAdmin(engine: Engine, { email, password }: NewOperator) {
  const { main } = engine
  await engine.open(`${service.url}/admin`)
  await engine.type(main, { field: 'Email' }, email)
  await engine.type(main, { field: 'Password' }, password)
  await engine.click(main, { button: 'Continue' })
  await sees(engine, main, 'Set up your authenticator')
  const shown = await engine.run(main, `() => document.querySelector('code').innerText`)
  const totp = new TOTP({ secret: String(shown).replaceAll(/\s/g, '') })
  await engine.type(main, { field: 'Code' }, totp.generate())
  await engine.click(main, { button: 'Set up and log in' })
  await engine.click(main, { button: 'I have saved the codes' })
  await engine.click(main, { button: 'Continue' })
  await sees(engine, main, 'Amounts debited')
}

async function keepPictures(engine: Engine, name: string) {
  for (const [index, window] of (await engine.listWindows()).entries()) {
    const picture = await engine.takePicture(window)
    writeFileSync(`${PICTURES}/${name}-failed-${index}.png`, picture)
  }
}

/** Adds a button to the page, whose script opens the address, and clicks it. */
async function openFrom(engine: Engine, page: string, script: string): Promise<View> {
  const { main } = engine
  await engine.open(page)
  await engine.run(
    main,
    `() => {
      const button = Object.assign(document.createElement('button'), { textContent: 'Win a prize' })
      button.onclick = () => { ${script} }
      document.body.prepend(button)
    }`,
  )
  const known = await engine.listWindows()
  await engine.click(main, { button: 'Win a prize' })
  return { window: await findOpened(engine, known) }
}

for (const kind of KINDS) {
  const { name, asksOwner, start } = kind
  test(`${name}: sign up, link, top up, pay, switch, /account, /admin`, async ({ shop, tools }) => {
    skipWithout(kind)
    test.setTimeout(180_000)
    const person = newPerson()
    const operator = await makeOperator(tools, 'viewer')
    const engine = await start()
    const { main } = engine
    const times: string[] = []
    mkdirSync(PICTURES, { recursive: true })
    async function step(title: string, act: () => Promise<View | void>) {
      const startedMs = performance.now()
      const view = await act()
      times.push(`${title} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
      await new Promise((resolve) => setTimeout(resolve, PAINT_MS))
      const file = `${PICTURES}/${name}-${times.length}-${title.replaceAll(/\W+/g, '-')}.png`
      writeFileSync(file, await engine.takePicture((view ?? main).window))
      if (view) await engine.click(view, { button: 'Back to Bean' })
    }
    try {
      await step('sign-up', () => signUp(engine, shop, person))
      await step('link', () => link(engine, person))
      await step('wallet', async () => void (await sees(engine, widgetIn(main), '$0.00')))
      await step('top-up', () => topUp(engine, asksOwner))
      await step('order', () => order(engine))
      await step('switch account', () => switchAccount(engine))
      await step('account', () => openAccount(engine, person))
      await step('admin', () => openAdmin(engine, operator))
    } catch (error) {
      await keepPictures(engine, name).catch(() => undefined)
      throw error
    } finally {
      await engine.stop()
    }
    console.log(`${name}: ${times.join(', ')}`)
  })

  test(`${name}: a window that no page of the app opened does not show somebody else's wallet`, async ({
    makeShop,
    tools,
  }) => {
    skipWithout(kind)
    test.setTimeout(180_000)
    const shop = await makeShop()
    const foreign = await makeShop({ allowedIframeParents: [] })
    const attacker = await makeLinkedUser(tools, shop.app, 77_01n)
    const session = await openSession(shop.app, attacker)
    const address = JSON.stringify(`${SERVICE()}/widget/topup?session=${session}`)
    const hide = `document.head.innerHTML += '<meta name="referrer" content="no-referrer">';`
    const openLater = `const opened = window.open(''); opened.location.href = ${address}`
    const openings = [
      [foreign.origin, openLater],
      [foreign.origin, `const opened = window.open(''); opened.location.replace(${address})`],
      [foreign.origin, `${hide} window.open(${address})`],
      // A link that a user of the app posted there.
      [
        shop.origin,
        `Object.assign(document.createElement('a'), { href: ${address}, target: '_blank' }).click()`,
      ],
    ] as const
    const engine = await start()
    try {
      for (const [page, script] of openings) {
        const opened = await openFrom(engine, page, script)
        const text = await until('the question, or a refusal', async () => {
          const read = await engine.read(opened)
          return /Is this your wallet\?|This wallet cannot be shown here/.test(read) && read
        })
        expect(text).not.toMatch(/77\.01|\$25|Continue/)
      }
      // A script of the app, as in @coffer/embed.
      await sees(engine, await openFrom(engine, shop.origin, openLater), '77.01')
    } finally {
      await engine.stop()
    }
  })
}
