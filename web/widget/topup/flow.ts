/** The current screen, and the transitions between screens. */
import type { PaymentIntent, Stripe } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'preact/hooks'
import { usePage } from '../page-context.ts'
import { keepConfirmed } from '../take-address.ts'
import { forgetPayment, keepPayment, type Payment, type StartedPayment } from './address.ts'
import { topupCalls, type Wallet } from './calls.ts'
import { useTopup } from './context.ts'
import { firstScreen, resumePayment, settlePayment, type Resuming } from './resume.ts'
import type { Screen } from './screen.ts'
import { loadScript, openStripe } from './stripe.ts'

export interface TopupFlow {
  screen: Screen
  payment: Payment | undefined
  /** The visitor came from the client app, or confirmed that the wallet is theirs. */
  isConfirmed: boolean
  confirm: () => void
  show: (screen: Screen) => void
  begin: (payment: StartedPayment) => void
  /** Drops the payment and shows the amount form; undefined without a session. */
  startAgain: (() => void) | undefined
  /** Reads the status of the payment from the processor and shows the fitting screen. */
  resume: () => Promise<void>
  /** Shows the screen for the processor's result. */
  settle: (stripe: Stripe, intent: PaymentIntent) => Promise<void>
}

export function useFlow(): TopupFlow {
  const { data, texts, address } = useTopup()
  const [screen, show] = useState(() => firstScreen(address, data.scriptUrl))
  const [payment, setPayment] = useState(address.payment)
  const [isConfirmed, setIsConfirmed] = useState(!address.isUnconfirmed)
  const leaving = useRef(new AbortController())

  function confirm() {
    keepConfirmed()
    setIsConfirmed(true)
  }

  function begin(next: StartedPayment) {
    keepPayment(next)
    setPayment(next)
    show({ name: 'card' })
  }

  function startAgain() {
    forgetPayment()
    setPayment(undefined)
    show({ name: 'amount' })
  }

  function resuming(current: Payment): Resuming {
    const { signal } = leaving.current
    const { exponent } = data
    // Without the session, the result of a payment does not show a balance.
    const session = isConfirmed ? address.session : undefined
    return { payment: current, session, exponent, texts, keep: setPayment, show, signal }
  }

  async function settle(stripe: Stripe, intent: PaymentIntent) {
    if (payment) await settlePayment(stripe, intent, resuming(payment))
  }

  async function resume() {
    if (!payment) return
    const stripe = await openStripe(data.scriptUrl, payment.publishableKey)
    await resumePayment(stripe, resuming(payment))
  }

  useEffect(() => {
    if (payment) void resume()
    // Preloads the script while the person chooses an amount.
    else if (data.scriptUrl) loadScript(data.scriptUrl).catch(() => undefined)
    return () => leaving.current.abort()
  }, [])
  useTellHost(screen)
  return {
    screen,
    payment,
    isConfirmed,
    confirm,
    show,
    begin,
    startAgain: address.session ? startAgain : undefined,
    resume,
    settle,
  }
}

function useTellHost(screen: Screen) {
  const { post } = usePage()
  useEffect(() => {
    if (screen.name === 'ended') post({ type: 'SERVICE_AUTH_REQUIRED', reason: screen.reason })
    if (screen.name === 'done' || screen.name === 'paid') post({ type: 'SERVICE_WALLET_UPDATED' })
  }, [screen.name])
}

/** undefined until known. null if not available; the person can continue anyway. */
export function useWallet({ screen, isConfirmed, show }: TopupFlow): Wallet | null | undefined {
  const { address } = useTopup()
  const [wallet, setWallet] = useState<Wallet | null>()
  const isWanted = screen.name === 'amount' && isConfirmed && wallet === undefined
  useEffect(() => {
    const leaving = new AbortController()
    async function read(session: string) {
      const result = await topupCalls.readWallet(session)
      if (leaving.signal.aborted) return
      setWallet(result.ok ? result.data : null)
      if (result.ok && !result.data.isActive) show({ name: 'frozen' })
      if (!result.ok && !result.offline && result.status === 401) {
        show({ name: 'ended', reason: 'session_expired' })
      }
    }
    if (isWanted && address.session) void read(address.session)
    return () => leaving.abort()
  }, [isWanted])
  return wallet
}
