/** The app's own callbacks, which may throw, reject, hang or answer nonsense. */
import type { WalletOptions, WalletSession, WalletStep, WidgetEvent } from './wallet-options.ts'

const PATIENCE_MS = 20_000

/** Rejects where the callback throws, and when it takes too long. */
export function askApp<Answer>(callback: () => Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`No answer within ${PATIENCE_MS / 1000} seconds`))
    const timer = setTimeout(late, PATIENCE_MS)
    const ask = async () => callback()
    void ask()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

export async function askForSession(options: WalletOptions): Promise<WalletSession | null> {
  const session = await askApp(() => options.fetchSession())
  if (session === null || typeof session?.sessionToken === 'string') return session
  throw new TypeError('fetchSession answered neither a session nor null')
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
  offer().catch((error: unknown) => tellError(options, error, 'onEvent'))
  return defaultPrevented
}

export function tellError({ onError }: WalletOptions, error: unknown, during: WalletStep) {
  const tell = async () => (onError ? onError(error, during) : reportError(error))
  tell().catch(reportError)
}
