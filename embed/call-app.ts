/** Calls the app's own callbacks, which may throw, reject, hang or return invalid values. */
import type {
  WalletChallenge,
  WalletOptions,
  WalletSession,
  WalletStep,
  WidgetEvent,
} from './wallet-options.ts'

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

/** What the app's backend returns for its user: a wallet to show, or how to log in. */
export type Opening =
  { session: WalletSession; challenge?: undefined } | (WalletChallenge & { session?: undefined })

export async function requestSession(options: WalletOptions): Promise<Opening> {
  const given: unknown = await callApp(() => options.fetchSession())
  const { sessionToken } = Object(given) as Partial<WalletSession>
  if (typeof sessionToken === 'string') return { session: given as WalletSession }
  return readChallenge(given, 'fetchSession returned neither a session nor a challenge')
}

export function readChallenge(given: unknown, fault: string): WalletChallenge {
  const { challenge } = Object(given) as Partial<WalletChallenge>
  if (typeof challenge !== 'string') throw new TypeError(fault)
  return { challenge }
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
