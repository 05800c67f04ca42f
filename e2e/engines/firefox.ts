/** Debian's Firefox, driven with WebDriver BiDi over the WebSocket of Node. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { end, FIND, inTime, READ, until, type Engine, type View, type Target } from './engine.ts'

export const FIREFOX = 'firefox-esr'

const PREFERENCES = {
  // The recommended ones turn off what people have, such as the pop-up blocker.
  'remote.prefs.recommended': false,
  'dom.disable_open_during_load': true,
  'focusmanager.testmode': true,
  // Scrollbars need space, as on other systems.
  'widget.gtk.overlay-scrollbars.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'services.settings.server': 'data:,',
}
const SIZE = { width: 1280, height: 900 }

interface Reply {
  id?: number
  type?: string
  message?: string
  result?: Result
}
interface Result {
  contexts?: { context: string }[]
  data?: string
  result?: { sharedId?: string; value?: unknown }
  exceptionDetails?: { text: string }
}

export async function startFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'coffer-firefox-'))
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  // With an empty page the focus would stay in the address bar.
  const page = 'data:text/html,<title>Start</title>'
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0']
  const browser = spawn(FIREFOX, [...options, page], { env: { ...process.env, HOME: profile } })
  let output = ''
  browser.stderr.on('data', (piece) => (output += String(piece)))
  async function stop() {
    await end(browser)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const [, url = ''] = await until('Firefox', () =>
      Promise.resolve(/WebDriver BiDi listening on (ws:\S+)/.exec(output)),
    )
    const send = await connect(`${url}/session`)
    await send('session.new', { capabilities: {} })
    return { ...drive(send, await findFirst(send)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Send = (method: string, parameters?: object) => Promise<Result>

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url)
  await inTime('the connection to Firefox', once(socket, 'open'))
  const waiting = new Map<number, PromiseWithResolvers<Result>>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, type, message, result = {} } = JSON.parse(String(data)) as Reply
    const reply = waiting.get(id)
    waiting.delete(id)
    if (type === 'success') reply?.resolve(result)
    if (type === 'error') reply?.reject(new Error(message))
  })
  function send(method: string, parameters: object = {}) {
    const reply = Promise.withResolvers<Result>()
    last++
    waiting.set(last, reply)
    socket.send(JSON.stringify({ id: last, method, params: parameters }))
    return inTime(method, reply.promise)
  }
  return send
}

async function findFirst(send: Send): Promise<string> {
  const { contexts } = await send('browsingContext.getTree')
  const [first] = contexts ?? []
  if (first === undefined) throw new Error('Firefox has no window.')
  await send('browsingContext.setViewport', { context: first.context, viewport: SIZE })
  return first.context
}

function drive(send: Send, first: string): Omit<Engine, 'stop'> {
  async function call(context: string, code: string, ...values: object[]) {
    const { result, exceptionDetails } = await send('script.callFunction', {
      functionDeclaration: code,
      awaitPromise: true,
      target: { context },
      arguments: values,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result ?? {}
  }
  const pass = (value: unknown) => ({ type: 'string', value: JSON.stringify(value) })
  const find = (context: string, target: Target) =>
    call(context, `(target) => (${FIND})(JSON.parse(target))`, pass(target))

  async function enter({ window, frame }: View): Promise<string> {
    if (frame === undefined) return window
    const { sharedId } = await find(window, { css: frame })
    if (sharedId === undefined) throw new Error(`There is no ${frame}.`)
    const { value } = await call(window, '(frame) => frame.contentWindow', { sharedId })
    return (value as { context: string }).context
  }

  async function click(view: View, target: Target, text = '') {
    await until(JSON.stringify(target), async () => {
      const context = await enter(view)
      const { sharedId } = await find(context, target)
      if (sharedId === undefined) return false
      await call(context, `(element) => element.scrollIntoView({ block: 'nearest' })`, { sharedId })
      const origin = { type: 'element', element: { sharedId } }
      const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))
      const move = { type: 'pointerMove', x: 0, y: 0, origin }
      const keys = Array.from(text).flatMap((value) =>
        ['keyDown', 'keyUp'].map((type) => ({ type, value })),
      )
      await send('input.performActions', {
        context,
        actions: [{ type: 'pointer', id: 'mouse', actions: [move, ...press] }],
      })
      if (text === '') return true
      const actions = [{ type: 'key', id: 'keyboard', actions: keys }]
      await send('input.performActions', { context, actions })
      return true
    })
  }

  return {
    main: { window: first },
    async open(url) {
      await send('browsingContext.navigate', { context: first, url, wait: 'complete' })
    },
    click: (view, target) => click(view, target),
    type: click,
    read: async (view) => String((await call(await enter(view), READ)).value),
    run: async (view, script) => (await call(await enter(view), script)).value,
    async listWindows() {
      const { contexts } = await send('browsingContext.getTree')
      return (contexts ?? []).map(({ context }) => context)
    },
    async takePicture(window) {
      const { data = '' } = await send('browsingContext.captureScreenshot', { context: window })
      return Buffer.from(data, 'base64')
    },
  }
}
