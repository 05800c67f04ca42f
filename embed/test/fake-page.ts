/** The parts of a browser page that the wallet uses, so that its messages and timers can be tested without a browser. */
import { mock } from 'node:test'
import { mountWallet } from '../mount-wallet.ts'
import type {
  WalletChallenge,
  WalletOptions,
  WalletSession,
  WidgetEvent,
} from '../wallet-options.ts'

export const SERVICE = 'https://wallet.example'
export const NOW = Date.UTC(2025, 2, 1)

type Listener = (event: unknown) => void

class Target {
  #listeners: [string, Listener][] = []

  addEventListener(type: string, listener: Listener, options: { signal?: AbortSignal } = {}) {
    const entry: [string, Listener] = [type, listener]
    this.#listeners.push(entry)
    options.signal?.addEventListener('abort', () => {
      this.#listeners = this.#listeners.filter((each) => each !== entry)
    })
  }

  emit(type: string, event: unknown = {}) {
    for (const [name, listener] of this.#listeners) if (name === type) listener(event)
  }

  countListeners(): number {
    return this.#listeners.length
  }
}

export class FakeElement extends Target {
  readonly style: Record<string, string> = {}
  readonly attributes: Record<string, string> = {}
  readonly contentWindow = {}
  children: FakeElement[] = []
  text = ''
  parent: FakeElement | undefined
  src = ''
  readonly tag: string

  constructor(tag: string) {
    super()
    this.tag = tag
  }

  set textContent(text: string) {
    this.text = text
  }

  setAttribute(name: string, value: string) {
    this.attributes[name] = value
  }

  append(...parts: (FakeElement | string)[]) {
    for (const part of parts) {
      if (typeof part === 'string') this.text += part
      else this.#take(part, this.children.length)
    }
  }

  prepend(child: FakeElement) {
    this.#take(child, 0)
  }

  #take(child: FakeElement, index: number) {
    child.parent = this
    this.children.splice(index, 0, child)
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((each) => each !== this)
    this.parent = undefined
  }

  focus() {
    page.document.activeElement = this
  }

  getRootNode() {
    return page.document
  }

  findAll(tag: string): FakeElement[] {
    const own = this.tag === tag ? [this] : []
    return [...own, ...this.children.flatMap((child) => child.findAll(tag))]
  }
}

export class FakeWindow extends Target {
  closed = false
  focused = 0
  readonly document = { title: '', body: { textContent: '' } }
  /** Without `replace()`, which sends no Referer in WebKit. */
  readonly location = { href: '' }

  get address(): string {
    return this.location.href
  }

  focus() {
    this.focused += 1
  }

  close() {
    this.closed = true
  }
}

const page = {
  document: Object.assign(new Target(), {
    visibilityState: 'visible',
    activeElement: undefined as FakeElement | undefined,
    createElement: (tag: string) => new FakeElement(tag),
  }),
  window: Object.assign(new Target(), { open: (..._options: string[]): FakeWindow | null => null }),
}

export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
/** What the app's backend returns for a user without a wallet. */
export const UNLINKED: WalletChallenge = { challenge: CHALLENGE }

/** A session that ends in five minutes. */
export function sessionNamed(sessionToken: string): WalletSession {
  return { sessionToken, expiresAt: new Date(Date.now() + 300_000).toISOString() }
}

/** A promise that the test resolves or rejects. */
export function createDeferred<Value>() {
  let resolve: (value: Value) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<Value>((accept, refuse) => {
    resolve = accept
    reject = refuse
  })
  return { promise, resolve, reject }
}

/** Runs the callbacks of all settled promises. */
export async function runCallbacks() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

/** An event of the widget without its version. */
type Unversioned<Event> = Event extends WidgetEvent ? Omit<Event, 'version'> : never
export type Sent = Unversioned<WidgetEvent>

export interface MessageParts {
  origin?: unknown
  source?: unknown
}

/** Makes the page the one that the code under test runs on. The clock stands still. */
export function showPage() {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: NOW })
  Object.assign(globalThis, page)
  page.document.visibilityState = 'visible'
}

/** Mounts a wallet on an empty page. The clock only moves when `pass` is called. */
export async function mountOnPage(given: Partial<WalletOptions> = {}) {
  showPage()
  const opened: FakeWindow[] = []
  const openings: string[][] = []
  /** The output of the browser's console. */
  const reported: unknown[] = []
  Object.assign(globalThis, { reportError: (error: unknown) => reported.push(error) })
  page.window.open = (...options) => {
    openings.push(options)
    opened.push(new FakeWindow())
    return opened.at(-1) ?? null
  }
  const events: WidgetEvent['type'][] = []
  const errors: [string, string][] = []
  let sessions = 0
  const options: WalletOptions = {
    serviceUrl: SERVICE,
    clientId: 'app_1',
    fetchSession: async () => sessionNamed(`ws_${++sessions}`),
    saveLink: async () => undefined,
    clearLink: async () => UNLINKED,
    onEvent: (event) => void events.push(event.type),
    onError: (error, during) => void errors.push([during, (error as Error).message]),
    ...given,
  }
  const root = new FakeElement('main')
  const wallet = mountWallet(root as unknown as Element, options)
  await runCallbacks()
  const frames = () => root.findAll('iframe')

  async function send(data: unknown, { origin = SERVICE, ...parts }: MessageParts = {}) {
    const source = 'source' in parts ? parts.source : frames()[0]?.contentWindow
    page.window.emit('message', { origin, source, data })
    await runCallbacks()
  }

  return {
    wallet,
    root,
    events,
    errors,
    reported,
    opened,
    /** The arguments of window.open. */
    openings,
    frames,
    focused: () => page.document.activeElement,
    countListeners: () => page.window.countListeners() + page.document.countListeners(),
    /** The URLs of the frames, from back to front. */
    addresses: () => frames().map(({ src }) => src),
    sessions: () => sessions,
    notices: () => root.findAll('div').filter(({ attributes }) => attributes['role'] === 'alert'),
    send,
    post: (event: Sent, parts?: MessageParts) => send({ ...event, version: 1 }, parts),
    pass: async (ms: number) => {
      mock.timers.tick(ms)
      await runCallbacks()
    },
    setVisible: async (isVisible: boolean) => {
      page.document.visibilityState = isVisible ? 'visible' : 'hidden'
      page.document.emit('visibilitychange')
      await runCallbacks()
    },
    blockWindows: () => {
      page.window.open = () => null
    },
    press: async (label: string) => {
      const button = root.findAll('button').find(({ text }) => text === label)
      if (!button) throw new Error(`No button ${label}`)
      button.emit('click')
      await runCallbacks()
    },
  }
}
