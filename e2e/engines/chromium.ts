/** Debian's Chromium, driven with Playwright, as an engine like the others. */
import { chromium, type Frame, type JSHandle, type Page } from '@playwright/test'
import { FIND, READ, until, type Engine, type View, type Target } from './engine.ts'

/** Unlike in the other tests, scrollbars are visible and need space. */
const OPTIONS = {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
  ignoreDefaultArgs: ['--hide-scrollbars'],
}

export async function startChromium(): Promise<Engine> {
  const browser = await chromium.launch(OPTIONS)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const main = await context.newPage()
  const pageOf = (window: string): Page => context.pages()[Number(window)] ?? main

  async function enter({ window, frame }: View): Promise<Page | Frame> {
    const page = pageOf(window)
    if (frame === undefined) return page
    const entered = await (await find(page, { css: frame }))?.contentFrame()
    if (!entered) throw new Error(`There is no ${frame}.`)
    return entered
  }

  async function click(view: View, target: Target, text = '') {
    await until(JSON.stringify(target), async () => {
      const inside = await enter(view)
      const found = await find(inside, target)
      if (!found) return false
      await found.click()
      if (text !== '') await pageOf(view.window).keyboard.type(text)
      return true
    })
  }

  return {
    main: { window: '0' },
    async open(url) {
      await main.goto(url)
    },
    click: (view, target) => click(view, target),
    type: click,
    read: async (view) => String(await (await enter(view)).evaluate(`(${READ})()`)),
    run: async (view, script) => (await enter(view)).evaluate(`(${script})()`),
    listWindows: () => Promise.resolve(context.pages().map((_, at) => String(at))),
    takePicture: (window) => pageOf(window).screenshot(),
    stop: () => browser.close(),
  }
}

async function find(inside: Page | Frame, target: Target) {
  const found = await inside.evaluateHandle(`(${FIND})(${JSON.stringify(target)})`)
  return (found as JSHandle<Element | null>).asElement()
}
