/** Reads the wallet repeatedly while the page is visible. */
import { call, type Wallet } from '../calls.ts'

export interface WalletView {
  /** The last wallet that was read; kept during problems, except after the session has ended. */
  wallet: Wallet | null
  problem: 'offline' | 'busy' | 'failed' | 'ended' | null
}

export interface WalletWatch {
  readNow: () => Promise<void>
  stop: () => void
}

const POLL_INTERVAL_MS = 5_000
const POLL_INTERVAL_MAX_MS = 60_000

export function watchWallet(session: string, show: (view: WalletView) => void): WalletWatch {
  const listening = new AbortController()
  const { signal } = listening
  let view: WalletView = { wallet: null, problem: null }
  let failures = 0
  let isReading = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function readNow() {
    clearTimeout(timer)
    if (isReading || signal.aborted) return
    isReading = true
    const result = await call('GET /api/widget/wallet', { session })
    isReading = false
    if (signal.aborted) return
    failures = result.ok ? 0 : failures + 1
    let delayMs = Math.min(POLL_INTERVAL_MS * 2 ** Math.max(0, failures - 1), POLL_INTERVAL_MAX_MS)
    if (result.ok) {
      view = { wallet: result.data, problem: null }
    } else if (result.offline) {
      view = { ...view, problem: 'offline' }
    } else if (result.status === 401) {
      view = { wallet: null, problem: 'ended' }
      listening.abort()
    } else {
      view = { ...view, problem: result.status === 429 ? 'busy' : 'failed' }
      delayMs = Math.max(delayMs, (result.retryAfterSeconds ?? 0) * 1000)
    }
    show(view)
    wait(delayMs)
  }

  function wait(delayMs: number) {
    if (signal.aborted || document.visibilityState === 'hidden') return
    timer = setTimeout(() => void readNow(), delayMs)
  }

  function readIfVisible() {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') void readNow()
  }

  function showOffline() {
    view = { ...view, problem: 'offline' }
    show(view)
  }

  document.addEventListener('visibilitychange', readIfVisible, { signal })
  window.addEventListener('focus', readIfVisible, { signal })
  window.addEventListener('online', readIfVisible, { signal })
  window.addEventListener('offline', showOffline, { signal })
  void readNow()
  return {
    readNow,
    stop() {
      clearTimeout(timer)
      listening.abort()
    },
  }
}
