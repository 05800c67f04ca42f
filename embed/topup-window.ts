/** The window in which a person tops up: at most one per wallet, never interrupted in the middle of a payment. */

const FEATURES = 'popup,width=440,height=760'

export class TopupWindow {
  #opened: Window | null = null
  #isWaiting = false
  #isOver = false

  /** Must be called in a click handler, before the address is known. Returns null if the browser blocked the window. */
  open(waitingText: string): Window | null {
    this.#opened = this.#isOpen() ? this.#opened : openEmpty(waitingText)
    this.#isWaiting = true
    this.#isOver = false
    this.focus()
    return this.#opened
  }

  focus() {
    this.#opened?.focus()
  }

  /** Whether a top-up is in progress in the window. */
  isBusy(): boolean {
    return this.#isOpen() && !this.#isOver
  }

  /** Does nothing if the person has closed the window in the meantime. */
  goTo(address: string) {
    this.#isWaiting = false
    if (!this.#opened) return
    // Not `replace()`: WebKit then sends no Referer, and the page asks whose wallet it is. The empty page leaves no entry
    // in the history either way.
    this.#opened.location.href = address
  }

  close() {
    this.#opened?.close()
    this.#opened = null
  }

  /** The payment is complete or the session has ended, so the next request loads a new page. */
  finish() {
    this.#isOver = true
  }

  /** Stops tracking the window. Closes it if it has no address yet; otherwise it stays open, because a payment may be in progress. */
  forget() {
    if (this.#isWaiting) this.close()
    this.#opened = null
  }

  is(other: MessageEventSource | null): boolean {
    return other !== null && other === this.#opened
  }

  #isOpen(): boolean {
    return this.#opened?.closed === false
  }
}

function openEmpty(text: string): Window | null {
  // The page notifies its opener of a payment, so there is no `noopener`.
  const opened = window.open('', '_blank', FEATURES)
  if (opened) opened.document.title = opened.document.body.textContent = text
  return opened
}
