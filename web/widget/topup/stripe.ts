/** The processor's script comes from its own host, never from our bundle: the processor demands it. */
import type { Stripe } from '@stripe/stripe-js'

const LOAD_TIMEOUT_MS = 20_000

let loading: Promise<void> | undefined
const instances = new Map<string, Stripe>()

/** A failure is not cached, so that the next call tries again. */
export async function loadScript(url: string): Promise<void> {
  loading ??= insertScript(url)
  try {
    await loading
  } catch (error) {
    loading = undefined
    throw error
  }
}

/** null if the script did not load or is not the expected one. */
export async function openStripe(url: string, publishableKey: string): Promise<Stripe | null> {
  try {
    await loadScript(url)
    const stripe = instances.get(publishableKey) ?? window.Stripe?.(publishableKey) ?? null
    if (stripe) instances.set(publishableKey, stripe)
    return stripe
  } catch {
    return null
  }
}

function insertScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      script.remove()
      reject(new Error('The script of the payment provider did not load'))
    }
    const timer = setTimeout(fail, LOAD_TIMEOUT_MS)
    script.addEventListener('load', () => {
      clearTimeout(timer)
      if (window.Stripe) resolve()
      else fail()
    })
    script.addEventListener('error', () => {
      clearTimeout(timer)
      fail()
    })
    script.src = url
    document.head.append(script)
  })
}
