/** Calls the app's own callbacks, which may throw, reject, hang or return invalid values. */
import type { WalletOptions, WalletSession, WalletStep, WidgetEvent } from './wallet-options.ts'

const PATIENCE_MS = 20_000

/** Rejects where the callback throws, and when it takes too long. */
export function callApp<Output>(callback: () => Promise<Output>): Promise<Output> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`No result within ${PATIENCE_MS / 1000} seconds`))
    const timer = setTimeout(late, PATIENCE_MS)
    const ask = async () => callback()
    void ask()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

export async function requestSession(options: WalletOptions): Promise<WalletSession | null> {
  const session = await callApp(() => options.fetchSession())
  if (session === null || typeof session?.sessionToken === 'string') return session
  throw new TypeError('fetchSession returned neither a session nor null')
}

/** Whether the app keeps the default action from happening; it has to decide at once. */
export function offerEvent(options: WalletOptions, data: WidgetEvent): boolean {
  let defaultPrevented = false
  const event = {
    ...data,
    preventDefault: () => void (defaultPrevented = true),
    get defaultPrevented() {
      return defaultPrevented
    },
  }
  const offer = async () => options.onEvent?.(event)
  offer().catch((error: unknown) => reportAppError(options, error, 'onEvent'))
  return defaultPrevented
}

export function reportAppError({ onError }: WalletOptions, error: unknown, during: WalletStep) {
  const report = async () => (onError ? onError(error, during) : reportError(error))
  report().catch(reportError)
}
