/** The container on the page. It shows one frame, can load the next one behind it, and can show a notice above both. */
import type { WalletOptions, WalletTexts } from './wallet-options.ts'

export interface Frame {
  readonly element: HTMLIFrameElement
  /** The state that a login in this frame must return; undefined if the frame was opened with a session. */
  readonly state: string | undefined
  /** In CSS pixels, once the widget has reported it. */
  height?: number
  /** When its wallet was loaded. */
  loadedAt?: number
  /** A login or logout of this frame is being handled or was handled: each frame can send one. */
  isUsed?: boolean
  /** It did not load in time, and the user has seen a message about it. */
  hasTimedOut?: boolean
}

const SANDBOX =
  'allow-same-origin allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
/** Sticky, so that it stays in view when the page is scrolled. The transform creates a layer: without it, WebKit paints the notice behind the frame. */
const NOTICE =
  'position:sticky;top:8px;transform:translateZ(0);margin:8px;padding:12px 16px;display:flex;flex-wrap:wrap;gap:8px 16px;' +
  'align-items:center;background:Canvas;color:CanvasText;border:1px solid;border-radius:12px'
const BUTTON =
  'font:inherit;font-weight:600;padding:10px 16px;color:inherit;background:none;' +
  'border:1px solid;border-radius:8px;cursor:pointer'
const HEIGHT_MIN = 320
/** A higher wallet would push the app's own page out of sight. */
const HEIGHT_MAX = 4000
const EMPTY = 'color-mix(in srgb, currentColor 6%, transparent)'

/** The address of the frame or of the top-up window. */
export function addressOf(
  { serviceUrl, clientId, locale, theme }: WalletOptions,
  page: 'wallet' | 'topup',
  query: Record<string, string>,
): string {
  const { origin, pathname } = new URL(serviceUrl)
  const display = { ...(locale && { locale }), ...(theme && { theme }) }
  const all = new URLSearchParams({ clientId, ...query, ...display })
  return `${origin}${pathname.replace(/\/+$/, '')}/widget/${page}?${all}`
}

export class WalletFrames {
  shown: Frame | undefined
  loading: Frame | undefined
  readonly #box = document.createElement('div')
  readonly #texts: WalletTexts
  readonly #isFixed: boolean
  #notice: HTMLElement | undefined

  constructor(element: Element, { height }: WalletOptions, texts: WalletTexts) {
    this.#texts = texts
    this.#isFixed = height !== undefined
    // Properties and not an attribute, which a content security policy may forbid.
    this.#box.style.cssText = 'position:relative;display:flow-root;outline:0;border-radius:12px'
    this.#box.style.background = EMPTY
    this.#box.style.height = height ?? '680px'
    this.#box.tabIndex = -1
    element.append(this.#box)
  }

  /** The frame is hidden until `reveal`: until it sends a message, the browser's error page can be in it. */
  load(address: string, state: string | undefined) {
    this.loading?.element.remove()
    const element = document.createElement('iframe')
    const frame: Frame = { element, state }
    element.title = this.#texts.frameTitle
    // Passkeys of the wallet work only where this allows it.
    element.allow = 'payment *; publickey-credentials-get'
    element.setAttribute('sandbox', SANDBOX)
    element.referrerPolicy = 'strict-origin'
    // A lazy frame would load only when it is scrolled into view, and its session could expire before that.
    element.loading = 'eager'
    element.style.cssText =
      'position:absolute;inset:0;width:100%;height:100%;border:0;visibility:hidden'
    element.src = address
    this.loading = frame
    // The first child is painted behind the other frames.
    this.#box.prepend(element)
    return frame
  }

  reveal(frame: Frame) {
    if (frame !== this.loading) return
    frame.element.style.visibility = ''
    this.#passFocus(frame.element)
    this.shown?.element.remove()
    this.shown = frame
    this.loading = undefined
    this.#box.style.background = ''
    this.#fit()
  }

  resize(frame: Frame, height: unknown) {
    if (typeof height !== 'number' || !Number.isFinite(height)) return
    frame.height = Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, Math.ceil(height)))
    this.#fit()
  }

  /** Does nothing if the app chose the height. */
  #fit() {
    const height = this.shown?.height
    if (height !== undefined && !this.#isFixed) this.#box.style.height = `${height}px`
  }

  /** Removes both frames, because another person may be logged in to the app now. */
  clear() {
    this.removeShown()
    this.discardLoading()
  }

  removeShown() {
    this.#passFocus(this.#box)
    this.shown?.element.remove()
    this.shown = undefined
    this.#box.style.background = EMPTY
  }

  /** Removes the frame that did not load. */
  discardLoading() {
    this.loading?.element.remove()
    this.loading = undefined
  }

  findFrame(source: MessageEventSource | null): Frame | undefined {
    return [this.shown, this.loading].find(
      (frame) => frame && source !== null && frame.element.contentWindow === source,
    )
  }

  /** Shows what happened and a button for the next step. */
  showNotice(text: string, label: string, act: () => void) {
    this.hideNotice()
    const notice = document.createElement('div')
    const button = document.createElement('button')
    notice.setAttribute('role', 'alert')
    notice.style.cssText = NOTICE
    button.type = 'button'
    button.style.cssText = BUTTON
    button.textContent = label
    button.addEventListener('click', () => {
      this.#box.focus({ preventScroll: true })
      this.hideNotice()
      act()
    })
    notice.append(text, button)
    this.#notice = notice
    this.#box.append(notice)
  }

  hideNotice() {
    this.#notice?.remove()
    this.#notice = undefined
  }

  focus() {
    this.shown?.element.focus()
  }

  remove() {
    this.clear()
    this.#box.remove()
  }

  /** Keeps the keyboard focus in the wallet if it was there, and does not move it otherwise. */
  #passFocus(to: HTMLElement) {
    const { activeElement } = this.#box.getRootNode() as Document | ShadowRoot
    const isHere = activeElement === this.#box || activeElement === this.shown?.element
    if (activeElement && isHere) to.focus({ preventScroll: true })
  }
}
