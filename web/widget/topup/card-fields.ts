/** Adds the processor's card form to the page and removes it again. */
import type { Stripe, StripeElements } from '@stripe/stripe-js'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Payment } from './address.ts'
import { DARK, readAppearance } from './appearance.ts'
import { useTopup } from './context.ts'
import { openStripe } from './stripe.ts'

export type CardFields =
  | { state: 'loading' }
  | { state: 'failed' }
  | { state: 'ready'; stripe: Stripe; elements: StripeElements }

const LOAD_TIMEOUT_MS = 20_000

export function useCardFields(
  place: RefObject<HTMLDivElement | null>,
  payment: Payment,
): [CardFields, () => void] {
  const { data, sharedMessages } = useTopup()
  const [fields, setFields] = useState<CardFields>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const { clientSecret, publishableKey } = payment

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const show = (next: CardFields) => {
      if (!signal.aborted) setFields(next)
    }

    async function mount() {
      const stripe = await openStripe(data.scriptUrl, publishableKey)
      if (signal.aborted) return
      if (!stripe || !place.current) return show({ state: 'failed' })
      const elements = stripe.elements({
        clientSecret,
        appearance: readAppearance(),
        locale: sharedMessages.lang as 'en',
        loader: 'never',
      })
      mountElement(elements, place.current, signal, (isReady) =>
        show(isReady ? { state: 'ready', stripe, elements } : { state: 'failed' }),
      )
    }

    void mount()
    return () => leaving.abort()
  }, [clientSecret, attempt])

  function retry() {
    setFields({ state: 'loading' })
    setAttempt(attempt + 1)
  }
  return [fields, retry]
}

/** Follows the color scheme until the form is removed. */
function mountElement(
  elements: StripeElements,
  place: HTMLElement,
  signal: AbortSignal,
  done: (isReady: boolean) => void,
) {
  const element = elements.create('payment')
  const timer = setTimeout(() => done(false), LOAD_TIMEOUT_MS)
  element.on('ready', () => {
    clearTimeout(timer)
    done(true)
  })
  element.on('loaderror', () => done(false))
  element.mount(place)
  const follow = () => void elements.update({ appearance: readAppearance() })
  matchMedia(DARK).addEventListener('change', follow, { signal })
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    element.destroy()
  })
}
