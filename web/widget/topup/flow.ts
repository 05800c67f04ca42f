/** Which screen is shown, and what leads from one to the next. */
import type { PaymentIntent, Stripe } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'preact/hooks'
import { usePage } from '../page-context.ts'
import { keepPayment, type Payment, type TopupAddress } from './address.ts'
import { topupCalls } from './calls.ts'
import { useTopup } from './context.ts'
import { followPayment, screenOf } from './follow.ts'
import { amountOf } from './format.ts'
import type { Screen } from './screen.ts'
import { loadScript, openStripe } from './stripe.ts'

export interface TopupFlow {
  screen: Screen
  payment: Payment | undefined
  show: (screen: Screen) => void
  begin: (payment: Payment) => void
  /** Asks the processor where the payment stands and goes on from there. */
  resume: () => Promise<void>
  /** Goes on from what the processor said. */
  settle: (stripe: Stripe, intent: PaymentIntent) => Promise<void>
}

export function useFlow(): TopupFlow {
  const { data, texts, address } = useTopup()
  const [screen, show] = useState(() => firstScreen(address, data.scriptUrl))
  const [payment, setPayment] = useState(address.payment)
  const leaving = useRef(new AbortController())

  function begin(next: Payment) {
    keepPayment(next)
    setPayment(next)
    show({ name: 'card' })
  }

  async function settle(stripe: Stripe, intent: PaymentIntent) {
    if (!payment) return
    // What the processor counts in is its own affair: the amount that we began with goes first.
    const current = { ...payment, amount: payment.amount ?? amountOf(intent, data.exponent) }
    setPayment(current)
    const next = screenOf(intent, texts)
    const isNewAsked = next?.name === 'amount' && !address.session
    if (next) return show(isNewAsked ? { name: 'ended', reason: 'no_session' } : next)
    const { signal } = leaving.current
    const { session } = address
    return followPayment(intent, { stripe, payment: current, session, texts, show, signal })
  }

  async function resume() {
    if (!payment) return
    const stripe = await openStripe(data.scriptUrl, payment.publishableKey)
    const answer = await stripe?.retrievePaymentIntent(payment.clientSecret)
    if (stripe && answer?.paymentIntent) return settle(stripe, answer.paymentIntent)
    const isUnknown = answer?.error?.type === 'invalid_request_error'
    show({ name: isUnknown ? 'lost' : 'unread' })
  }

  useEffect(() => {
    if (payment) void resume()
    // Already on the way while the person chooses an amount.
    else if (data.scriptUrl) loadScript(data.scriptUrl).catch(() => undefined)
    return () => leaving.current.abort()
  }, [])
  useTellHost(screen)
  return { screen, payment, show, begin, resume, settle }
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

/** undefined: not known yet. null: not to be had, which stops nobody. */
export function useBalance({ screen, show }: TopupFlow): number | null | undefined {
  const { address } = useTopup()
  const [balance, setBalance] = useState<number | null>()
  const isWanted = screen.name === 'amount' && balance === undefined
  useEffect(() => {
    const leaving = new AbortController()
    async function read(session: string) {
      const result = await topupCalls.readWallet(session)
      if (leaving.signal.aborted) return
      setBalance(result.ok ? result.data.balance : null)
      if (result.ok && !result.data.isActive) show({ name: 'frozen' })
      if (!result.ok && !result.offline && result.status === 401) {
        show({ name: 'ended', reason: 'session_expired' })
      }
    }
    if (isWanted && address.session) void read(address.session)
    return () => leaving.abort()
  }, [isWanted])
  return balance
}
