/** Debian's WebKitGTK, driven with WebDriver over HTTP. It has no headless mode, so it gets a screen of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { end, FIND, inTime, READ, until, type Engine, type View, type Target } from './engine.ts'

export const WEBKIT = ['WebKitWebDriver', 'Xvfb']

/** The process ends with its screen. `language` becomes the language of the browser. */
export async function startWebKit(language: string): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'coffer-webkit-'))
  const { screen, display } = await startScreen()
  const [port = 0] = await findFreePorts(1)
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      LIBGL_ALWAYS_SOFTWARE: '1',
      LANG: language,
      LANGUAGE: language,
      LC_ALL: language,
    },
  })
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  const browser = { binary, args: ['--automation', '--enable-itp'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browser } }
  const base = `http://127.0.0.1:${port}`
  let session = ''
  const send: Send = (method, path, body) => request(session + path, method, body)

  async function stop() {
    if (session !== '') await send('DELETE', '').catch(() => undefined)
    for (const child of [driver, screen]) await end(child)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const opened = await until('WebKit', () => request(`${base}/session`, 'POST', { capabilities }))
    session = `${base}/session/${(opened as { sessionId: string }).sessionId}`
    await send('POST', '/window/rect', { x: 0, y: 0, width: 1280, height: 940 })
    return { ...drive(send, String(await send('GET', '/window'))), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Xvfb chooses a number that is free, and writes it. */
async function startScreen() {
  const words = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const screen = spawn('Xvfb', words, { stdio: ['ignore', 'pipe', 'ignore'] })
  const line = once(createInterface({ input: screen.stdout }), 'line')
  const [number] = (await inTime('the screen', line)) as [string]
  return { screen, display: `:${number}` }
}

type Method = 'GET' | 'POST' | 'DELETE'
type Send = (method: Method, path: string, body?: object) => Promise<unknown>

async function request(url: string, method: Method, body: object = {}): Promise<unknown> {
  const content = method === 'POST' ? { body: JSON.stringify(body) } : {}
  const response = await fetch(url, { method, signal: AbortSignal.timeout(20_000), ...content })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  throw new Error(`${method} ${url}: ${JSON.stringify(value)}`)
}

function drive(send: Send, first: string): Omit<Engine, 'stop'> {
  const call = (code: string, ...args: unknown[]) =>
    send('POST', '/execute/sync', { script: `return (${code})(...arguments)`, args })

  async function enter({ window, frame }: View) {
    await send('POST', '/window', { handle: window })
    await send('POST', '/frame', { id: null })
    if (frame !== undefined) await send('POST', '/frame', { id: await call(FIND, { css: frame }) })
  }

  async function click(view: View, target: Target, text = '') {
    await until(JSON.stringify(target), async () => {
      await enter(view)
      const element = (await call(FIND, target)) as Record<string, string> | null
      if (element === null) return false
      const path = `/element/${Object.values(element)[0]}`
      await send('POST', `${path}/click`)
      if (text !== '') await send('POST', `${path}/value`, { text })
      return true
    })
  }

  return {
    main: { window: first },
    async open(url) {
      await enter({ window: first })
      await send('POST', '/url', { url })
    },
    click: (view, target) => click(view, target),
    type: click,
    async read(view) {
      await enter(view)
      return String(await call(READ))
    },
    async run(view, script) {
      await enter(view)
      return call(script)
    },
    listWindows: async () => (await send('GET', '/window/handles')) as string[],
    async takePicture(window) {
      await enter({ window })
      return Buffer.from(String(await send('GET', '/screenshot')), 'base64')
    },
  }
}
