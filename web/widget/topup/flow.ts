/** The current screen, and the transitions between screens. */
import type { PaymentIntent, Stripe } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'preact/hooks'
import { usePage } from '../page-context.ts'
import {
  forgetPayment,
  isStarted,
  keepPayment,
  type Payment,
  type StartedPayment,
  type TopupAddress,
} from './address.ts'
import { topupCalls, type Wallet } from './calls.ts'
import { useTopup } from './context.ts'
import { followPayment, screenOf } from './follow.ts'
import { amountOf } from './format.ts'
import type { Screen } from './screen.ts'
import { loadScript, openStripe } from './stripe.ts'

export interface TopupFlow {
  screen: Screen
  payment: Payment | undefined
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
  const leaving = useRef(new AbortController())

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

  async function settle(stripe: Stripe, intent: PaymentIntent) {
    if (!payment) return
    // The processor may use other units, so our own amount takes precedence.
    const current = { ...payment, amount: payment.amount ?? amountOf(intent, data.exponent) }
    setPayment(current)
    const next = screenOf(intent, current, texts)
    if (next) return show(next)
    const { signal } = leaving.current
    const { session } = address
    return followPayment(intent, { stripe, payment: current, session, texts, show, signal })
  }

  async function resume() {
    if (!payment) return
    const stripe = await openStripe(data.scriptUrl, payment.publishableKey)
    const answer = await stripe?.retrievePaymentIntent(payment.clientSecret)
    const intent = answer?.paymentIntent
    if (stripe && intent) {
      const isUnpaid = screenOf(intent, payment, texts) !== null
      if (isStarted(payment) && isUnpaid && (await hasEnded(address.session))) {
        return show({ name: 'ended', reason: 'session_expired' })
      }
      return settle(stripe, intent)
    }
    const isUnknown = answer?.error?.type === 'invalid_request_error'
    show({ name: isUnknown ? 'lost' : 'unread' })
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
    show,
    begin,
    startAgain: address.session ? startAgain : undefined,
    resume,
    settle,
  }
}

function firstScreen({ session, payment }: TopupAddress, scriptUrl: string): Screen {
  if (scriptUrl === '') return { name: 'closed' }
  if (payment) return { name: 'loading' }
  return session ? { name: 'amount' } : { name: 'ended', reason: 'no_session' }
}

function useTellHost(screen: Screen) {
  const { post } = usePage()
  useEffect(() => {
    if (screen.name === 'ended') post({ type: 'SERVICE_AUTH_REQUIRED', reason: screen.reason })
    if (screen.name === 'done' || screen.name === 'paid') post({ type: 'SERVICE_WALLET_UPDATED' })
  }, [screen.name])
}

/** Without a valid session, no card form is shown. A missing response does not end a session. */
async function hasEnded(session: string | undefined): Promise<boolean> {
  if (!session) return true
  const result = await topupCalls.readWallet(session)
  return !result.ok && !result.offline && result.status === 401
}

/** undefined until known. null if not available; the person can continue anyway. */
export function useWallet({ screen, show }: TopupFlow): Wallet | null | undefined {
  const { address } = useTopup()
  const [wallet, setWallet] = useState<Wallet | null>()
  const isWanted = screen.name === 'amount' && wallet === undefined
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
