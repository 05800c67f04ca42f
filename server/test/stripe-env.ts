import type { RunningSandbox } from '../../sandbox/start-sandbox.ts'

/** What the service must be told to use this sandbox. */
export function stripeEnv(sandbox: RunningSandbox): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_URL: sandbox.url,
    STRIPE_SCRIPT_URL: `${sandbox.publicUrl}/v3/`,
  }
}
