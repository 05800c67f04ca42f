/** Calls the app's own callbacks, which may throw, reject, hang or return invalid values. */
import type {
  WalletChallenge,
  WalletOptions,
  WalletSession,
  WalletStep,
  WidgetEvent,
} from './wallet-options.ts'

const CALLBACK_TIMEOUT_MS = 20_000

/** Rejects if the callback throws or takes too long. */
export function callWithTimeout<Output>(callback: () => Promise<Output>): Promise<Output> {
  return new Promise((resolve, reject) => {
    const onTimeout = () =>
      reject(new Error(`No result within ${CALLBACK_TIMEOUT_MS / 1000} seconds`))
    const timer = setTimeout(onTimeout, CALLBACK_TIMEOUT_MS)
    const call = async () => callback()
    void call()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/** What the app's backend returns for its user: the session of a linked wallet, or a challenge for the login. */
export type SessionOrChallenge =
  { session: WalletSession; challenge?: undefined } | (WalletChallenge & { session?: undefined })

export async function requestSession(options: WalletOptions): Promise<SessionOrChallenge> {
  const given: unknown = await callWithTimeout(() => options.fetchSession())
  const { sessionToken } = Object(given) as Partial<WalletSession>
  if (typeof sessionToken === 'string') return { session: given as WalletSession }
  return readChallenge(
    given,
    'fetchSession must return { sessionToken, expiresAt } or { challenge }',
  )
}

export function readChallenge(given: unknown, message: string): WalletChallenge {
  const { challenge } = Object(given) as Partial<WalletChallenge>
  if (typeof challenge !== 'string') throw new TypeError(message)
  return { challenge }
}

/** Calls onEvent. Returns whether it called preventDefault() before it returned; later calls have no effect. */
export function dispatchEvent(options: WalletOptions, data: WidgetEvent): boolean {
  let defaultPrevented = false
  const event = {
    ...data,
    preventDefault: () => void (defaultPrevented = true),
    get defaultPrevented() {
      return defaultPrevented
    },
  }
  const call = async () => options.onEvent?.(event)
  call().catch((error: unknown) => reportAppError(options, error, 'onEvent'))
  return defaultPrevented
}

export function reportAppError({ onError }: WalletOptions, error: unknown, during: WalletStep) {
  const report = async () => (onError ? onError(error, during) : reportError(error))
  report().catch(reportError)
}
