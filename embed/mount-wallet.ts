/** Shows the hosted wallet on a page and handles its messages. */
import {
  callWithTimeout,
  dispatchEvent,
  type SessionOrChallenge,
  readChallenge,
  reportAppError,
  requestSession,
} from './call-app.ts'
import { addressOf, type Frame, WalletFrames } from './wallet-frames.ts'
import { MARGIN_MS, delayBefore, renewalTime, wasStable } from './plan-renewal.ts'
import { readEvent } from './read-event.ts'
import { TEXTS } from './texts-en.ts'
import { TopupWindow } from './topup-window.ts'
import type {
  MountedWallet,
  TopupOptions,
  WalletChallenge,
  WalletOptions,
  WalletStep,
  WalletTexts,
  WidgetEvent,
} from './wallet-options.ts'

export type * from './wallet-options.ts'

/** A frame that sends no message in this time has failed to load. */
const LOAD_TIMEOUT_MS = 15_000

export function mountWallet(element: Element, options: WalletOptions): MountedWallet {
  requireElement(element)
  const wallet = new Wallet(element, options)
  wallet.reload()
  return {
    reload: () => wallet.reload(),
    openTopup: (topup) => wallet.openTopup(topup),
    destroy: () => wallet.destroy(),
  }
}

/** The element of another frame is not an instance of this page's Element. */
function requireElement(element: unknown) {
  if ((element as Partial<Element> | null)?.append) return
  throw new TypeError(
    `mountWallet needs an element; got ${String(element)}. Does the script run before the element exists?`,
  )
}

class Wallet {
  readonly #options: WalletOptions
  readonly #texts: WalletTexts
  readonly #serviceUrl: URL
  readonly #frames: WalletFrames
  readonly #topup = new TopupWindow()
  readonly #listening = new AbortController()
  /** The number of the newest attempt to open the wallet. The results of older attempts are ignored. */
  #attempt = 0
  #isFetching = false
  /** The attempt renews a session that is still valid. If it fails, no message is shown. */
  #isPrecaution = false
  #renewals = 0
  #renewAt = Infinity
  #renewalTimer: ReturnType<typeof setTimeout> | undefined
  #loadTimer: ReturnType<typeof setTimeout> | undefined

  constructor(element: Element, options: WalletOptions) {
    this.#options = options
    this.#texts = { ...TEXTS, ...options.texts }
    this.#serviceUrl = new URL(options.serviceUrl)
    this.#frames = new WalletFrames(element, options, this.#texts)
    const { signal } = this.#listening
    window.addEventListener('message', (message) => this.#onMessage(message), { signal })
    document.addEventListener('visibilitychange', () => this.#renewInTime(), { signal })
  }

  reload() {
    // Another user may be logged in to the app by now.
    this.#topup.forget()
    this.#frames.clear()
    this.#retry()
  }

  openTopup(options: TopupOptions = {}) {
    // Without a link the frame already shows the login.
    if (this.#frames.shown?.state !== undefined) this.#frames.focus()
    else if (this.#topup.isBusy()) this.#topup.focus()
    else void this.#startTopup(options)
  }

  destroy() {
    this.#attempt++
    this.#listening.abort()
    this.#clearTimers()
    this.#topup.forget()
    this.#frames.remove()
  }

  #onMessage({ origin, source, data }: MessageEvent<unknown>) {
    if (origin !== this.#serviceUrl.origin) return
    const frame = this.#frames.findFrame(source)
    if (!frame && !this.#topup.is(source)) return
    const event = readEvent(data)
    if (!event) return
    if (event.type === 'SERVICE_AUTH_SUCCESS' && !this.#isExpectedLogin(event, frame)) return
    if (frame) this.#onFrameMessage(frame, event)
    else this.#topup.finish()
    const isPrevented = dispatchEvent(this.#options, event)
    if (!isPrevented && frame && !this.#isDestroyed()) this.#act(event, frame)
  }

  /** Accepts a login only if it started in this frame, and only once. */
  #isExpectedLogin(event: { state?: string }, frame: Frame | undefined): boolean {
    if (!frame || frame.isUsed) return false
    frame.isUsed = true
    if (frame.state !== undefined && event.state === frame.state) return true
    this.#report(
      new Error(
        'SERVICE_AUTH_SUCCESS was ignored: its state is missing or is not the state of this frame',
      ),
      'checkState',
    )
    this.#showNotice('linkFailed', () => this.#retry())
    return false
  }

  #onFrameMessage(frame: Frame, event: WidgetEvent) {
    // The message shows that the page of the service has loaded, but not yet that the wallet is ready.
    if (event.type === 'SERVICE_RESIZED') {
      if (!this.#frames.shown) this.#frames.reveal(frame)
      return
    }
    if (frame === (this.#frames.loading ?? this.#frames.shown)) clearTimeout(this.#loadTimer)
    if (frame.hasTimedOut) this.#frames.hideNotice()
    frame.hasTimedOut = false
    if (event.type === 'SERVICE_WALLET_LOADED') frame.loadedAt = Date.now()
    const isExpired = event.type === 'SERVICE_AUTH_REQUIRED' && event.reason === 'session_expired'
    if (!isExpired) this.#frames.reveal(frame)
  }

  #act(event: WidgetEvent, frame: Frame) {
    if (event.type === 'SERVICE_RESIZED') this.#frames.resize(frame, event.height)
    if (event.type === 'SERVICE_OPEN_TOPUP') this.openTopup()
    if (event.type === 'SERVICE_AUTH_SUCCESS') void this.#link(event)
    if (event.type === 'SERVICE_LOGOUT_REQUEST') void this.#unlink(frame)
    if (event.type === 'SERVICE_AUTH_REQUIRED' && event.reason === 'session_expired') {
      this.#renew(frame)
    }
  }

  async #open({ isPrecaution = false, isLinked = false } = {}) {
    if (this.#isDestroyed()) return
    this.#clearTimers()
    const attempt = ++this.#attempt
    this.#isFetching = true
    this.#isPrecaution = isPrecaution
    if (!isPrecaution) this.#frames.hideNotice()
    try {
      const given = await requestSession(this.#options)
      if (attempt !== this.#attempt) return
      if (given.session) this.#load(given)
      else if (!isLinked) this.#showSignIn(given)
      else throw new Error('fetchSession returned no session right after saveLink')
    } catch (error) {
      if (attempt !== this.#attempt) return
      this.#isFetching = false
      this.#report(error, 'fetchSession')
      if (!this.#isPrecaution) this.#showNotice('openFailed', () => this.#retry())
    }
  }

  #retry() {
    this.#renewals = 0
    void this.#open()
  }

  #load(given: SessionOrChallenge, more: Record<string, string> = {}) {
    const { session } = given
    this.#clearTimers()
    this.#attempt++
    this.#isFetching = false
    const state = session ? undefined : crypto.getRandomValues(new Uint32Array(4)).join('-')
    const query = given.session
      ? { session: given.session.sessionToken }
      : { state: state ?? '', challenge: given.challenge, ...more }
    const frame = this.#frames.load(addressOf(this.#options, 'wallet', query), state)
    this.#loadTimer = setTimeout(() => this.#onLoadTimeout(frame), LOAD_TIMEOUT_MS)
    if (!session) return
    const now = Date.now()
    this.#renewAt = renewalTime(session.expiresAt, now)
    // A timer can fire slightly before the time on the clock.
    this.#renewalTimer = setTimeout(() => this.#renewInTime(), this.#renewAt - now + 100)
  }

  #onLoadTimeout(frame: Frame) {
    const seconds = LOAD_TIMEOUT_MS / 1_000
    const hint =
      'Check that the service is running and that allowedIframeParents lists the origin of this page.'
    const where = "See the response in the browser's developer tools, under Network."
    const text = `The wallet did not load within ${seconds} seconds. ${hint} ${where}`
    this.#report(new Error(text), 'loadFrame')
    if (this.#isPrecaution && this.#frames.shown) return this.#frames.discardLoading()
    if (frame === this.#frames.loading) this.#frames.removeShown()
    frame.hasTimedOut = true
    this.#showNotice('openFailed', () => this.#retry())
  }

  async #link(link: { linkCode?: string; serviceUserId: string }, isRepeated = false) {
    // Every login in this package has a challenge, so the message has a link code.
    const { linkCode = '', serviceUserId } = link
    try {
      await callWithTimeout(() => this.#options.saveLink({ linkCode, serviceUserId }))
    } catch (error) {
      this.#report(error, 'saveLink')
      // The code works again if the response was lost, but not if it was rejected.
      const again = () => (isRepeated ? this.#retry() : void this.#link(link, true))
      return this.#showNotice('linkFailed', again)
    }
    this.#renewals = 0
    await this.#open({ isLinked: true })
  }

  async #unlink(frame: Frame) {
    if (frame.isUsed) return
    frame.isUsed = true
    try {
      const cleared = await callWithTimeout(() => this.#options.clearLink())
      const challenge = readChallenge(cleared, 'clearLink must return { challenge }')
      this.#showSignIn(challenge, { switched: '1' })
    } catch (error) {
      frame.isUsed = false
      this.#report(error, 'clearLink')
      this.#showNotice('switchFailed', () => void this.#unlink(frame))
    }
  }

  #showSignIn(given: WalletChallenge, query: Record<string, string> = {}) {
    if (this.#isDestroyed()) return
    this.#topup.forget()
    this.#frames.hideNotice()
    this.#frames.clear()
    this.#load(given, query)
  }

  async #startTopup({ amount }: TopupOptions) {
    if (this.#isDestroyed()) return
    const opened = this.#topup.open(this.#texts.topupLoading)
    const again = () => this.openTopup({ amount })
    if (!opened) return this.#showNotice('topupBlocked', again, 'openTopup')
    this.#frames.hideNotice()
    try {
      const given = await requestSession(this.#options)
      if (!this.#topup.is(opened)) return
      if (!given.session) return this.#showSignIn(given)
      const query = { session: given.session.sessionToken, ...(amount && { amount }) }
      this.#topup.goTo(addressOf(this.#options, 'topup', query))
    } catch (error) {
      if (!this.#topup.is(opened)) return
      this.#topup.close()
      this.#report(error, 'fetchSession')
      this.#showNotice('topupFailed', again)
    }
  }

  /** Renews the session before it ends, and only while the page is visible. */
  #renewInTime() {
    const now = Date.now()
    if (document.visibilityState === 'hidden' || now < this.#renewAt) return
    // If the computer slept for long, the session has ended, and the old frame would only show that.
    const isTooLate = now >= this.#renewAt + MARGIN_MS
    if (isTooLate) this.#frames.clear()
    void this.#open({ isPrecaution: !isTooLate })
  }

  /** Gets a new session after the session has ended. */
  #renew(frame: Frame) {
    const isInProgress = this.#isFetching || this.#frames.loading !== undefined
    if (isInProgress && frame === this.#frames.shown) {
      this.#isPrecaution = false
      return
    }
    if (wasStable(frame.loadedAt, Date.now())) this.#renewals = 0
    const delayMs = delayBefore(this.#renewals++)
    this.#clearTimers()
    if (delayMs !== undefined) {
      this.#renewalTimer = setTimeout(() => void this.#open(), delayMs)
      return
    }
    this.#frames.discardLoading()
    const hint = 'Check what ends them, for example an unlink or a deactivated client app.'
    const text = `Several sessions in a row ended immediately. ${hint}`
    this.#report(new Error(text), 'renewal')
    this.#showNotice('openFailed', () => this.#retry())
  }

  #clearTimers() {
    clearTimeout(this.#renewalTimer)
    clearTimeout(this.#loadTimer)
    this.#renewAt = Infinity
  }

  #isDestroyed(): boolean {
    return this.#listening.signal.aborted
  }

  #showNotice(text: keyof WalletTexts, act: () => void, label: keyof WalletTexts = 'retry') {
    if (!this.#isDestroyed()) this.#frames.showNotice(this.#texts[text], this.#texts[label], act)
  }

  #report(error: unknown, during: WalletStep) {
    if (!this.#isDestroyed()) reportAppError(this.#options, error, during)
  }
}
