/** The wallet as an element: <coffer-wallet service-url="…" client-id="…">. */
import { mountWallet } from './mount-wallet.ts'
import type {
  MountedWallet,
  TopupOptions,
  WalletEvent,
  WalletOptions,
  WalletStep,
  WidgetEvent,
} from './wallet-options.ts'

type Callbacks = Pick<WalletOptions, 'fetchSession' | 'saveLink' | 'clearLink'>

export interface CofferWalletElement
  extends HTMLElement, Partial<Callbacks>, Pick<WalletOptions, 'texts'> {
  reload(): void
  openTopup(options?: TopupOptions): void
}

type EventOf<Type extends WidgetEvent['type']> = CustomEvent<Extract<WidgetEvent, { type: Type }>>

export interface CofferWalletEventMap {
  'coffer:wallet-updated': EventOf<'SERVICE_WALLET_UPDATED'>
  'coffer:wallet-loaded': EventOf<'SERVICE_WALLET_LOADED'>
  'coffer:open-topup': EventOf<'SERVICE_OPEN_TOPUP'>
  'coffer:auth-required': EventOf<'SERVICE_AUTH_REQUIRED'>
  'coffer:auth-success': EventOf<'SERVICE_AUTH_SUCCESS'>
  'coffer:logout-request': EventOf<'SERVICE_LOGOUT_REQUEST'>
  'coffer:resized': EventOf<'SERVICE_RESIZED'>
  'coffer:error': CustomEvent<{ error: unknown; during: WalletStep }>
}

declare global {
  interface HTMLElementTagNameMap {
    'coffer-wallet': CofferWalletElement
  }
  interface GlobalEventHandlersEventMap extends CofferWalletEventMap {}
}

const NAME = 'coffer-wallet'
/** A server that renders pages can also import this file; it has no HTMLElement. */
const Base = globalThis.HTMLElement ?? Object
const PROPERTIES = ['fetchSession', 'saveLink', 'clearLink', 'texts'] as const

/** Registers <coffer-wallet>; calling it again changes nothing. */
export function defineCofferWallet(): void {
  if (!customElements.get(NAME)) customElements.define(NAME, CofferWallet)
}

class CofferWallet extends Base {
  static readonly observedAttributes = ['service-url', 'client-id', 'height', 'locale', 'theme']
  readonly #given: Partial<WalletOptions> = {}
  #wallet: MountedWallet | undefined
  #isPlanned = false

  static {
    for (const name of PROPERTIES) {
      Object.defineProperty(this.prototype, name, {
        get(this: CofferWallet) {
          return this.#given[name]
        },
        set(this: CofferWallet, value: never) {
          this.#given[name] = value
          this.#plan()
        },
      })
    }
  }

  connectedCallback() {
    // A property that was set before the element was defined hides the accessor of the class.
    for (const name of PROPERTIES) {
      const own = Object.getOwnPropertyDescriptor(this, name)
      if (!own) continue
      Reflect.deleteProperty(this, name)
      this.#given[name] = own.value as never
    }
    this.#plan()
  }

  disconnectedCallback() {
    this.#unmount()
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null) {
    if (before === after) return
    this.#unmount()
    this.#plan()
  }

  reload() {
    this.#wallet?.reload()
  }

  openTopup(options?: TopupOptions) {
    this.#wallet?.openTopup(options)
  }

  #unmount() {
    this.#wallet?.destroy()
    this.#wallet = undefined
  }

  /** Several changes in one task create one wallet. */
  #plan() {
    if (this.#isPlanned || this.#wallet) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      this.#mountIfComplete()
    })
  }

  #mountIfComplete() {
    const given = this.#given
    const serviceUrl = this.getAttribute('service-url')
    const clientId = this.getAttribute('client-id')
    const isComplete = given.fetchSession && given.saveLink && given.clearLink
    if (!this.isConnected || !serviceUrl || !clientId || !isComplete) return
    this.style.display ||= 'block'
    // Looked up at each call, so that a new callback takes effect immediately.
    const backend = given as Callbacks
    const callbacks: Callbacks = {
      fetchSession: () => backend.fetchSession(),
      saveLink: (link) => backend.saveLink(link),
      clearLink: () => backend.clearLink(),
    }
    this.#wallet = mountWallet(this, {
      ...callbacks,
      serviceUrl,
      clientId,
      texts: given.texts,
      height: this.getAttribute('height') ?? undefined,
      // The service ignores a value that it does not know.
      locale: (this.getAttribute('locale') ?? undefined) as WalletOptions['locale'],
      theme: (this.getAttribute('theme') ?? undefined) as WalletOptions['theme'],
      onEvent: (event) => this.#pass(event),
      onError: (error, during) => {
        if (this.#dispatch('error', { error, during })) reportError(error)
      },
    })
  }

  #pass(event: WalletEvent) {
    const { preventDefault, defaultPrevented: _, ...detail } = event
    const name = event.type.replace('SERVICE_', '').replaceAll('_', '-').toLowerCase()
    if (!this.#dispatch(name, detail)) preventDefault()
  }

  /** Returns false if a listener prevented the default action. */
  #dispatch(name: string, detail: object): boolean {
    const options = { bubbles: true, cancelable: true, composed: true, detail }
    return this.dispatchEvent(new CustomEvent(`coffer:${name}`, options))
  }
}
