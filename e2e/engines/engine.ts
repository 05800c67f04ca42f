import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What the tests need from a browser, so that they are the same for every engine. */
export interface Engine {
  /** The first window. */
  main: View
  open(url: string): Promise<void>
  /** Clicks with real input events, as soon as the element is there. */
  click(view: View, target: Target): Promise<void>
  /** Clicks a field and types, with real input events. */
  type(view: View, target: Target, text: string): Promise<void>
  /** The visible text. */
  read(view: View): Promise<string>
  /** Runs a script in the page. */
  run(view: View, script: string): Promise<unknown>
  listWindows(): Promise<string[]>
  takePicture(window: string): Promise<Buffer>
  stop(): Promise<void>
}

/** A window, or a frame in it. */
export interface View {
  window: string
  /** A CSS selector. */
  frame?: string
}

/** An element as a person calls it. */
export type Target = { button: string } | { field: string } | { css: string }

/** Runs in the page: the first visible element with this name that a click would reach, or null. */
export const FIND = `(target) => {
  const [kind, wanted] = Object.entries(target)[0]
  const clean = (text) => (text ?? '').replace(/\\s+/g, ' ').trim()
  const isShown = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'
  const labelOf = (element) =>
    clean(element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent)
  const selectors = { css: wanted, button: 'button, a, label', field: 'input, select, textarea' }
  const isDisabled = (element) =>
    element.disabled === true || element.getAttribute('aria-disabled') === 'true'
  const all = [...document.querySelectorAll(selectors[kind])]
    .filter((element) => isShown(element) && !isDisabled(element))
  return all.find((element) => kind === 'css' || labelOf(element).startsWith(wanted)) ?? null
}`

export const READ = `() => document.body?.innerText ?? ''`

const TIMEOUT_MS = 30_000
const REPLY_MS = 60_000
const PAUSE_MS = 50

/** A browser that no longer replies fails the test. Without a limit, the test would wait until its own end. */
export async function inTime<Result>(what: string, waited: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`Not within ${REPLY_MS / 1000} s: ${what}.`)),
    REPLY_MS,
  )
  return Promise.race([waited, late.promise]).finally(() => clearTimeout(timer))
}

/** Ends the process, if necessary by force. */
export async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await inTime(`the end of ${child.spawnfile}`, ended).catch(() => child.kill('SIGKILL'))
}

/** Tries again until the result is truthy. Windows and frames come and go, so an error is a reason to try again too. */
export async function until<Result>(
  what: string,
  attempt: () => Promise<Result>,
): Promise<NonNullable<Result>> {
  const deadline = performance.now() + TIMEOUT_MS
  let reason = ''
  while (performance.now() < deadline) {
    try {
      const result = await attempt()
      if (result) return result
    } catch (error) {
      reason = String(error)
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`Not within ${TIMEOUT_MS / 1000} s: ${what}. ${reason}`)
}

export function sees(engine: Engine, view: View, text: string): Promise<boolean> {
  return until(`the text ${JSON.stringify(text)}`, async () =>
    (await engine.read(view)).includes(text),
  )
}
