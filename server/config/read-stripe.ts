/** The card processor's part of the configuration. */

export interface StripeConfig {
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** The URL of the API; undefined: Stripe's own. */
  apiUrl: URL | undefined
  /** Where browsers load Stripe.js from. */
  scriptUrl: string
  /** No real money moves. */
  isTest: boolean
}

interface StripeSettings {
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_PUBLISHABLE_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_API_URL?: string | undefined
  STRIPE_SCRIPT_URL: string
}

export function readStripe(env: StripeSettings): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = env
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: api } = env
  if (!secretKey || !publishableKey || !webhookSecret) return undefined
  const apiUrl = api === undefined ? undefined : new URL(api)
  const scriptUrl = env.STRIPE_SCRIPT_URL
  const isTest = /^(sk|rk)_test_/.test(secretKey)
  return { secretKey, publishableKey, webhookSecret, apiUrl, scriptUrl, isTest }
}
