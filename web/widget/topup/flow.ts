/** The current screen, and the transitions between screens. */
import type { PaymentIntent, Stripe } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'preact/hooks'
import { forgetPayment, keepPayment, type Payment, type StartedPayment } from './address.ts'
import type { TopupCalls, Wallet } from './calls.ts'
import { useTopup } from './context.ts'
import { firstScreen, resumePayment, finishPayment, type ResumeOptions } from './resume.ts'
import type { Screen } from './screen.ts'
import { loadScript, openStripe } from './stripe.ts'

export interface TopupFlow {
  screen: Screen
  payment: Payment | undefined
  show: (screen: Screen) => void
  begin: (payment: StartedPayment) => void
  /** Drops the payment and shows the amount form; undefined if nobody is signed in. */
  startAgain: (() => void) | undefined
  /** Reads the status of the payment from the processor and shows the screen for it. */
  resume: () => Promise<void>
  /** Shows the result that the processor returned, and the balance once the payment is credited. */
  finish: (stripe: Stripe, intent: PaymentIntent) => Promise<void>
}

/** `isConfirmed`: the visitor knows whose wallet it is. */
export function useFlow(isConfirmed: boolean): TopupFlow {
  const { data, messages, calls, payment: first } = useTopup()
  const [screen, show] = useState(() => firstScreen(first, calls, data.scriptUrl))
  const [payment, setPayment] = useState(first)
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

  function resumeOptions(current: Payment): ResumeOptions {
    const { signal } = leaving.current
    const { exponent } = data
    // Without these calls, the result of a payment does not show a balance.
    const allowed = isConfirmed ? calls : undefined
    return { payment: current, calls: allowed, exponent, messages, keep: setPayment, show, signal }
  }

  async function finish(stripe: Stripe, intent: PaymentIntent) {
    if (payment) await finishPayment(stripe, intent, resumeOptions(payment))
  }

  async function resume() {
    if (!payment) return
    const stripe = await openStripe(data.scriptUrl, payment.publishableKey)
    await resumePayment(stripe, resumeOptions(payment))
  }

  useEffect(() => {
    if (payment) void resume()
    // Preloads the script while the person chooses an amount.
    else if (data.scriptUrl) loadScript(data.scriptUrl).catch(() => undefined)
    return () => leaving.current.abort()
  }, [])
  useNotifyParent(screen)
  return {
    screen,
    payment,
    show,
    begin,
    startAgain: calls ? startAgain : undefined,
    resume,
    finish,
  }
}

function useNotifyParent(screen: Screen) {
  const { post } = useTopup()
  useEffect(() => {
    if (screen.name === 'ended') post({ type: 'SERVICE_AUTH_REQUIRED', reason: screen.reason })
    if (screen.name === 'done' || screen.name === 'paid') post({ type: 'SERVICE_WALLET_UPDATED' })
  }, [screen.name])
}

/** undefined until known. null if not available; the person can continue anyway. */
export function useWallet(
  { screen, show }: TopupFlow,
  isConfirmed: boolean,
): Wallet | null | undefined {
  const { calls } = useTopup()
  const [wallet, setWallet] = useState<Wallet | null>()
  const isWanted = screen.name === 'amount' && isConfirmed && wallet === undefined
  useEffect(() => {
    const leaving = new AbortController()
    async function read({ readWallet }: TopupCalls) {
      const result = await readWallet()
      if (leaving.signal.aborted) return
      setWallet(result.ok ? result.data : null)
      if (result.ok && !result.data.isActive) show({ name: 'frozen' })
      if (!result.ok && !result.offline && result.status === 401) {
        show({ name: 'ended', reason: 'session_expired' })
      }
    }
    if (isWanted && calls) void read(calls)
    return () => leaving.abort()
  }, [isWanted])
  return wallet
}
