/**
 * The frame is as high as its content and follows it without a jump: from one screen to the next, the height only grows
 * or only shrinks, and no scrollbar appears in the frame. While the content stays the same, so does the height.
 */
import { expect } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from './embed-setup.ts'
import { sees, until, type Engine, type View, type Target } from './engines/engine.ts'
import { CHROMIUM, FIREFOX, listMissing, WEBKIT } from './engines/kinds.ts'
import { makeOwner } from './owner.ts'

/** A height that did not change for this long is that of the screen. */
const STABLE_MS = 700

/** Notes every height that the page lays out. */
const RECORD_HEIGHTS = `() => {
  const view = document.querySelector('#mount')
  window.heights = []
  new ResizeObserver(() => window.heights.push(view.offsetHeight)).observe(view)
}`
/** Notes the width of the widest scrollbar in any picture that the frame paints. */
const RECORD_SCROLLBAR = `() => {
  if (window.scrollbar !== undefined) return
  window.scrollbar = 0
  const look = () => {
    window.scrollbar = Math.max(window.scrollbar, innerWidth - document.documentElement.clientWidth)
    requestAnimationFrame(look)
  }
  look()
}`

class Watch {
  readonly #engine: Engine
  readonly #widget: View
  #seen = 0
  readonly lines: string[] = []

  constructor(engine: Engine) {
    this.#engine = engine
    this.#widget = { ...engine.main, frame: '#mount iframe' }
  }

  /** Does something, waits for the text of the next screen, and checks the heights between both screens. */
  async step(name: string, act: () => Promise<unknown>, text: string) {
    await this.#engine.run(this.#widget, RECORD_SCROLLBAR).catch(() => undefined)
    await act()
    await sees(this.#engine, this.#widget, text)
    await this.#waitForFinalHeight()
    const all = await this.#heights()
    const heights = all.slice(Math.max(0, this.#seen - 1))
    this.#seen = all.length
    this.lines.push(`${name}: ${heights.join(', ')}`)
    const grows = heights.toSorted((one, other) => one - other)
    expect.soft([grows, grows.toReversed()], name).toContainEqual(heights)
    expect.soft((await this.#measure()).scrollbar, `the scrollbar: ${name}`).toBe(0)
    return heights
  }

  click = (target: Target) => this.#engine.click(this.#widget, target)
  type = (target: Target, text: string) => this.#engine.type(this.#widget, target, text)

  async #heights(): Promise<number[]> {
    const text = await this.#engine.run(this.#engine.main, '() => JSON.stringify(window.heights)')
    return (JSON.parse(String(text)) as number[]).filter((height) => height > 0)
  }

  /** A slow browser lays out the frame long after it has changed the document. */
  async #waitForFinalHeight() {
    let known = ''
    await until('a height that fits and stays', async () => {
      const now = JSON.stringify([await this.#heights(), await this.#measure()])
      const isFinal = now === known && (await this.#measure()).isFitting
      known = now
      if (!isFinal) await sleep(STABLE_MS)
      return isFinal
    })
  }

  /** Nothing scrolls in the frame, and nothing is empty below its content. */
  async #measure(): Promise<{ isFitting: boolean; scrollbar: number }> {
    const script = `() => JSON.stringify({
      isFitting: document.documentElement.scrollHeight === innerHeight
        && Math.abs(document.body.offsetHeight - innerHeight) <= 1,
      scrollbar: window.scrollbar ?? 0,
    })`
    return JSON.parse(String(await this.#engine.run(this.#widget, script)))
  }
}

for (const kind of [CHROMIUM, FIREFOX, WEBKIT]) {
  test(`${kind.name}: the height of the frame follows its content without a jump`, async ({
    host: { origin },
    tools,
  }) => {
    const missing = listMissing(kind)
    test.skip(missing.length > 0, `${missing.join(' and ')} not installed`)
    const owner = await makeOwner(tools)
    const engine = await kind.start()
    const watch = new Watch(engine)
    const { click, type } = watch
    const runInPage = (script: string) => engine.run(engine.main, script)
    try {
      await engine.open(origin)
      await runInPage(RECORD_HEIGHTS)
      // The top-up would open a window.
      const mount = `() => { testState.prevented.push('SERVICE_OPEN_TOPUP'); testState.mount() }`
      await watch.step('log in', () => runInPage(mount), 'Log in to your wallet')
      await watch.step('sign up', () => click({ button: 'Create an account' }), 'First name')
      await watch.step('back', () => click({ button: 'Log in' }), 'Log in to your wallet')
      await watch.step('errors', () => click({ button: 'Log in' }), 'Enter your password')
      const logIn = async () => {
        await type({ field: 'Email' }, owner.email)
        await type({ field: 'Password' }, owner.password)
      }
      await watch.step('typing', logIn, 'Log in to your wallet')
      await watch.step('consent', () => click({ button: 'Log in' }), 'Agree')
      await watch.step('wallet', () => click({ button: 'Agree' }), 'Manage account')
      const reload = () => runInPage('() => testState.wallet.reload()')
      expect(await watch.step('reload', reload, 'Manage account')).toHaveLength(1)
      await watch.step('hint', () => click({ button: 'Add money' }), 'new window')
      await watch.step('question', () => click({ button: 'Not you?' }), 'Switch account')
      await watch.step('cancel', () => click({ button: 'Cancel' }), 'Manage account')
    } finally {
      console.log(`${kind.name}\n  ${watch.lines.join('\n  ')}`)
      await engine.stop()
    }
  })
}
