/** Shows the hosted wallet on a page and handles its messages. */
import {
  callApp,
  offerEvent,
  type Opening,
  readChallenge,
  reportAppError,
  requestSession,
} from './call-app.ts'
import { addressOf, type Frame, WalletFrames } from './wallet-frames.ts'
import { MARGIN_MS, pauseBefore, renewalTime, wasGood } from './plan-renewal.ts'
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

/** A frame that sends no message for this long has failed to load. */
const SILENCE_MS = 15_000

export function mountWallet(element: Element, options: WalletOptions): MountedWallet {
  const wallet = new Wallet(element, options)
  wallet.reload()
  return {
    reload: () => wallet.reload(),
    openTopup: (topup) => wallet.openTopup(topup),
    destroy: () => wallet.destroy(),
  }
}

class Wallet {
  readonly #options: WalletOptions
  readonly #texts: WalletTexts
  readonly #serviceUrl: URL
  readonly #frames: WalletFrames
  readonly #topup = new TopupWindow()
  readonly #listening = new AbortController()
  /** The number of the newest attempt to open the wallet: what an older one brings is dropped. */
  #attempt = 0
  #isFetching = false
  /** The attempt is a precaution: if it fails, the person need not know. */
  #isQuiet = false
  #renewals = 0
  #renewAt = Infinity
  #renewing: ReturnType<typeof setTimeout> | undefined
  #doubting: ReturnType<typeof setTimeout> | undefined

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
    this.#rest()
    this.#topup.forget()
    this.#frames.remove()
  }

  #onMessage({ origin, source, data }: MessageEvent<unknown>) {
    if (origin !== this.#serviceUrl.origin) return
    const frame = this.#frames.findFrame(source)
    if (!frame && !this.#topup.is(source)) return
    const event = readEvent(data)
    if (!event) return
    if (event.type === 'SERVICE_AUTH_SUCCESS' && !this.#isAwaited(event, frame)) return
    if (frame) this.#noteLife(frame, event)
    else this.#topup.finish()
    const isPrevented = offerEvent(this.#options, event)
    if (!isPrevented && frame && !this.#isGone()) this.#act(event, frame)
  }

  /** Accepts a login only if it started in this frame, and only once. */
  #isAwaited(event: { state?: string }, frame: Frame | undefined): boolean {
    if (!frame || frame.isSpent) return false
    frame.isSpent = true
    if (frame.state !== undefined && event.state === frame.state) return true
    this.#report(
      new Error('SERVICE_AUTH_SUCCESS came without the state of its frame'),
      'checkState',
    )
    this.#showNotice('linkFailed', () => this.#retry())
    return false
  }

  #noteLife(frame: Frame, event: WidgetEvent) {
    // A frame is not ready only because its content has a height, but the service is in it.
    if (event.type === 'SERVICE_RESIZED') {
      if (!this.#frames.shown) this.#frames.reveal(frame)
      return
    }
    if (frame === (this.#frames.coming ?? this.#frames.shown)) clearTimeout(this.#doubting)
    if (frame.isLate) this.#frames.hideNotice()
    frame.isLate = false
    if (event.type === 'SERVICE_WALLET_LOADED') frame.loadedAt = Date.now()
    const isDead = event.type === 'SERVICE_AUTH_REQUIRED' && event.reason === 'session_expired'
    if (!isDead) this.#frames.reveal(frame)
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

  async #open({ isQuiet = false, isLinked = false } = {}) {
    if (this.#isGone()) return
    this.#rest()
    const attempt = ++this.#attempt
    this.#isFetching = true
    this.#isQuiet = isQuiet
    if (!isQuiet) this.#frames.hideNotice()
    try {
      const opening = await requestSession(this.#options)
      if (attempt !== this.#attempt) return
      if (opening.session) this.#load(opening)
      else if (!isLinked) this.#showSignIn(opening)
      else throw new Error('fetchSession returned no session right after saveLink')
    } catch (error) {
      if (attempt !== this.#attempt) return
      this.#isFetching = false
      this.#report(error, 'fetchSession')
      if (!this.#isQuiet) this.#showNotice('openFailed', () => this.#retry())
    }
  }

  #retry() {
    this.#renewals = 0
    void this.#open()
  }

  #load(opening: Opening, more: Record<string, string> = {}) {
    const { session } = opening
    this.#rest()
    this.#attempt++
    this.#isFetching = false
    const state = session ? undefined : crypto.getRandomValues(new Uint32Array(4)).join('-')
    const query = opening.session
      ? { session: opening.session.sessionToken }
      : { state: state ?? '', challenge: opening.challenge, ...more }
    const frame = this.#frames.load(addressOf(this.#options, 'wallet', query), state)
    this.#doubting = setTimeout(() => this.#doubt(frame), SILENCE_MS)
    if (!session) return
    const now = Date.now()
    this.#renewAt = renewalTime(session.expiresAt, now)
    // A timer may be a moment early by the clock.
    this.#renewing = setTimeout(() => this.#renewInTime(), this.#renewAt - now + 100)
  }

  #doubt(frame: Frame) {
    const hint = "is the service up, and this page's origin among its allowedIframeParents?"
    const where = 'The response is in the developer tools of the browser.'
    this.#report(new Error(`The wallet did not respond: ${hint} ${where}`), 'loadFrame')
    if (this.#isQuiet && this.#frames.shown) return this.#frames.abandon()
    if (frame === this.#frames.coming) this.#frames.removeShown()
    frame.isLate = true
    this.#showNotice('openFailed', () => this.#retry())
  }

  async #link(link: { linkCode?: string; serviceUserId: string }, isRepeated = false) {
    // Every login here has a challenge, so it has a link code.
    const { linkCode = '', serviceUserId } = link
    try {
      await callApp(() => this.#options.saveLink({ linkCode, serviceUserId }))
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
    if (frame.isSpent) return
    frame.isSpent = true
    try {
      const cleared = await callApp(() => this.#options.clearLink())
      const challenge = readChallenge(cleared, 'clearLink returned no challenge')
      this.#showSignIn(challenge, { switched: '1' })
    } catch (error) {
      frame.isSpent = false
      this.#report(error, 'clearLink')
      this.#showNotice('switchFailed', () => void this.#unlink(frame))
    }
  }

  #showSignIn(opening: WalletChallenge, query: Record<string, string> = {}) {
    if (this.#isGone()) return
    this.#topup.forget()
    this.#frames.hideNotice()
    this.#frames.clear()
    this.#load(opening, query)
  }

  async #startTopup({ amount }: TopupOptions) {
    if (this.#isGone()) return
    const opened = this.#topup.open(this.#texts.topupLoading)
    const again = () => this.openTopup({ amount })
    if (!opened) return this.#showNotice('topupBlocked', again, 'openTopup')
    this.#frames.hideNotice()
    try {
      const opening = await requestSession(this.#options)
      if (!this.#topup.is(opened)) return
      if (!opening.session) return this.#showSignIn(opening)
      const query = { session: opening.session.sessionToken, ...(amount && { amount }) }
      this.#topup.goTo(addressOf(this.#options, 'topup', query))
    } catch (error) {
      if (!this.#topup.is(opened)) return
      this.#topup.close()
      this.#report(error, 'fetchSession')
      this.#showNotice('topupFailed', again)
    }
  }

  /** Before the session ends, and only while the page is visible. */
  #renewInTime() {
    const now = Date.now()
    if (document.visibilityState === 'hidden' || now < this.#renewAt) return
    // After a long sleep the frame would only say that its session has ended.
    const isTooLate = now >= this.#renewAt + MARGIN_MS
    if (isTooLate) this.#frames.clear()
    void this.#open({ isQuiet: !isTooLate })
  }

  /** After the session has ended. */
  #renew(frame: Frame) {
    const isUnderWay = this.#isFetching || this.#frames.coming !== undefined
    if (isUnderWay && frame === this.#frames.shown) {
      this.#isQuiet = false
      return
    }
    if (wasGood(frame.loadedAt, Date.now())) this.#renewals = 0
    const pauseMs = pauseBefore(this.#renewals++)
    this.#rest()
    if (pauseMs !== undefined) {
      this.#renewing = setTimeout(() => void this.#open(), pauseMs)
      return
    }
    this.#frames.abandon()
    this.#report(new Error('One session after the other ended at once'), 'renewal')
    this.#showNotice('openFailed', () => this.#retry())
  }

  #rest() {
    clearTimeout(this.#renewing)
    clearTimeout(this.#doubting)
    this.#renewAt = Infinity
  }

  #isGone(): boolean {
    return this.#listening.signal.aborted
  }

  #showNotice(text: keyof WalletTexts, act: () => void, label: keyof WalletTexts = 'retry') {
    if (!this.#isGone()) this.#frames.showNotice(this.#texts[text], this.#texts[label], act)
  }

  #report(error: unknown, during: WalletStep) {
    if (!this.#isGone()) reportAppError(this.#options, error, during)
  }
}
