/** The window in which a person tops up: at most one per wallet, never interrupted in the middle of a payment. */

const FEATURES = 'popup,width=440,height=760'

export class TopupWindow {
  #opened: Window | null = null
  #isWaiting = false
  #isOver = false

  /** Has to be called inside a click, so there is no address yet. Null: the browser blocked it. */
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

  /** A top-up is in progress in it. */
  isBusy(): boolean {
    return this.#isOpen() && !this.#isOver
  }

  /** Not if the person has closed it in the meantime; then this does nothing. */
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

  /** Paid, or its session has ended: the next request loads a new page. */
  finish() {
    this.#isOver = true
  }

  /** Leaves it to the person whose wallet it was opened for; one without a page is of no use to anybody. */
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
