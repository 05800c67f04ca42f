import assert from 'node:assert/strict'
import { afterEach, before, describe, it, mock } from 'node:test'
import type { CofferWalletElement } from './define-coffer-wallet.ts'
import {
  FakeElement,
  SERVICE,
  sessionNamed,
  runCallbacks,
  showPage,
  UNLINKED,
} from './test/fake-page.ts'

/** The part of an element that the browser provides. */
class BrowserElement extends FakeElement {
  isConnected = false

  constructor() {
    super('coffer-wallet')
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null
  }
}

/** What the browser calls when the page changes the element. */
interface Reactions {
  connectedCallback(): void
  disconnectedCallback(): void
  attributeChangedCallback(name: string, before: string | null, after: string | null): void
}

type Created = CofferWalletElement & BrowserElement & Reactions

let Wallet: new () => Created

before(async () => {
  const defined = new Map<string, unknown>()
  const customElements = {
    get: (name: string) => defined.get(name),
    define: (name: string, element: unknown) => void defined.set(name, element),
  }
  // The class is created when the file is loaded.
  Object.assign(globalThis, { HTMLElement: BrowserElement, customElements })
  const { defineCofferWallet } = await import('./define-coffer-wallet.ts')
  defineCofferWallet()
  defineCofferWallet()
  Wallet = defined.get('coffer-wallet') as new () => Created
})
afterEach(() => mock.timers.reset())

async function setup() {
  showPage()
  const element = new Wallet()
  const sessions: string[] = []
  async function change(name: string, value: string) {
    const old = element.getAttribute(name)
    element.setAttribute(name, value)
    element.attributeChangedCallback(name, old, value)
    await runCallbacks()
  }
  async function connect() {
    element.isConnected = true
    element.connectedCallback()
    await runCallbacks()
  }
  await change('service-url', SERVICE)
  await change('client-id', 'app_1')
  element.fetchSession = async () => {
    sessions.push(`ws_${sessions.length + 1}`)
    return sessionNamed(sessions.at(-1) ?? '')
  }
  element.saveLink = async () => undefined
  element.clearLink = async () => UNLINKED
  const addresses = () => element.findAll('iframe').map(({ src }) => src)
  return { element, sessions, change, connect, addresses }
}

const address = (clientId: string, session: string) =>
  `${SERVICE}/widget/wallet?clientId=${clientId}&session=${session}`

describe('the element', () => {
  it('shows one wallet when it is on the page and complete', async () => {
    const { connect, addresses } = await setup()
    assert.deepEqual(addresses(), [])
    await connect()
    assert.deepEqual(addresses(), [address('app_1', 'ws_1')])
  })

  it('keeps its wallet if an attribute is set to the same value again', async () => {
    const { connect, change, element, sessions } = await setup()
    await connect()
    const [frame] = element.findAll('iframe')
    await change('client-id', 'app_1')
    assert.equal(element.findAll('iframe')[0], frame)
    assert.deepEqual(sessions, ['ws_1'])
  })

  it('shows another wallet if an attribute changes, and none after it was removed', async () => {
    const { connect, change, element, addresses } = await setup()
    await connect()
    await change('client-id', 'app_2')
    assert.deepEqual(addresses(), [address('app_2', 'ws_2')])
    element.isConnected = false
    element.disconnectedCallback()
    assert.deepEqual(addresses(), [])
  })

  it('passes its language and its theme to the wallet', async () => {
    const { connect, change, addresses } = await setup()
    await change('locale', 'es')
    await connect()
    assert.deepEqual(addresses(), [`${address('app_1', 'ws_1')}&locale=es`])
    await change('theme', 'light')
    assert.deepEqual(addresses(), [`${address('app_1', 'ws_2')}&locale=es&theme=light`])
  })

  it('uses a new callback without showing another wallet', async () => {
    const { connect, element, addresses } = await setup()
    await connect()
    element.fetchSession = async () => sessionNamed('ws_new')
    await runCallbacks()
    assert.deepEqual(addresses(), [address('app_1', 'ws_1')])
    element.reload()
    await runCallbacks()
    assert.deepEqual(addresses(), [address('app_1', 'ws_new')])
  })
})
