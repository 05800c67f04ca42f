/** Counts what a flow asks of a person: clicks, keys, page changes and words. docs/flows.md explains the estimate. */
import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test'

const SECONDS_PER_CLICK = 1.1
const SECONDS_PER_KEY = 0.2
const WORDS_PER_SECOND = 240 / 60
const TABS_MAX = 60

export interface Effort {
  clicks: number
  keys: number
  pageChanges: number
  /** In the parts that a step needs. */
  wordsRead: number
  /** On all screens, including navigation and what a step does not need. */
  wordsShown: number
  /** How long a person takes, without the waits for the service. */
  estimatedSeconds: number
  robotSeconds: number
}

export type InputDevice = 'mouse' | 'keyboard'

/** Uses the pages like somebody with a mouse and a keyboard, or with a keyboard only. */
export class FlowMeter {
  readonly #device: InputDevice
  readonly #startedMs = performance.now()
  #clicks = 0
  #keys = 0
  #pageChanges = 0
  #wordsRead = 0
  #wordsShown = 0

  private constructor(device: InputDevice) {
    this.#device = device
  }

  /** Measures from now on, in all windows of the context. */
  static async start(context: BrowserContext, device: InputDevice): Promise<FlowMeter> {
    const meter = new FlowMeter(device)
    await context.exposeBinding('noteInput', (_, kind: string) => meter.#note(kind))
    await context.addInitScript(listen)
    for (const page of context.pages()) {
      meter.#watch(page)
      for (const frame of page.frames()) await frame.evaluate(listen)
    }
    context.on('page', (page) => {
      meter.#pageChanges++
      meter.#watch(page)
    })
    return meter
  }

  /** Reads a part of the page, which contains this text. */
  async read(part: Locator, text: string | RegExp) {
    await expect(part).toContainText(text)
    this.#wordsRead += countWords(await part.innerText())
    this.#wordsShown += await countShown(part.page())
  }

  async press(target: Locator) {
    if (this.#device === 'mouse') return target.click()
    await this.#tabTo(target)
    const page = target.page()
    // A button can close its window before the key is released.
    await page.keyboard.press('Enter').catch((error: unknown) => {
      if (!page.isClosed()) throw error
    })
  }

  async choose(radio: Locator) {
    // The label covers the radio button.
    if (this.#device === 'mouse') return radio.locator('xpath=ancestor::label').click()
    // Tab reaches the chosen one of a group.
    const { keyboard } = radio.page()
    const chosen = radio.page().getByRole('radio', { checked: true })
    const reached = (await chosen.count()) > 0 ? chosen : radio.page().getByRole('radio').first()
    await this.#tabTo(reached)
    while (!(await radio.isChecked())) await keyboard.press('ArrowRight')
  }

  async type(field: Locator, text: string) {
    await (this.#device === 'mouse' ? field.click() : this.#tabTo(field))
    await field.page().keyboard.type(text)
  }

  /** Pastes into the focused field. */
  async paste(page: Page, text: string) {
    await page.keyboard.insertText(text)
    this.#keys += 2
  }

  finish(): Effort {
    const clicks = this.#clicks
    const keys = this.#keys
    const wordsRead = this.#wordsRead
    const seconds =
      SECONDS_PER_CLICK * clicks + SECONDS_PER_KEY * keys + wordsRead / WORDS_PER_SECOND
    return {
      clicks,
      keys,
      pageChanges: this.#pageChanges,
      wordsRead,
      wordsShown: this.#wordsShown,
      estimatedSeconds: Math.round(seconds),
      robotSeconds: Math.round((performance.now() - this.#startedMs) / 100) / 10,
    }
  }

  #note(kind: string) {
    if (kind === 'click') this.#clicks++
    else this.#keys++
  }

  #watch(page: Page) {
    page.on('framenavigated', (frame) => {
      const isPage = frame === page.mainFrame() && frame.url() !== 'about:blank'
      if (isPage) this.#pageChanges++
    })
  }

  async #tabTo(target: Locator) {
    const isFocused = () => target.evaluate((element) => element === document.activeElement)
    for (let tabs = 0; !(await isFocused()); tabs++) {
      if (tabs === TABS_MAX) throw new Error(`The keyboard does not reach ${String(target)}.`)
      await target.page().keyboard.press('Tab')
    }
  }
}

/** Runs in every document. Modifier keys belong to the key that follows. */
function listen() {
  const { noteInput } = globalThis as unknown as { noteInput: (kind: string) => void }
  const modifiers = ['Shift', 'Control', 'Alt', 'Meta']
  addEventListener('pointerdown', (event) => event.isTrusted && noteInput('click'), true)
  addEventListener(
    'keydown',
    (event) => event.isTrusted && !modifiers.includes(event.key) && noteInput('key'),
    true,
  )
}

async function countShown(page: Page): Promise<number> {
  const texts = page.frames().map((frame) => frame.evaluate(() => document.body.innerText))
  return countWords((await Promise.all(texts)).join(' '))
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
