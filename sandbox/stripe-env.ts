import type { RunningSandbox } from './start-sandbox.ts'

/** The environment variables that make the service use this sandbox. */
export function stripeEnv(sandbox: RunningSandbox): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_URL: sandbox.url,
    STRIPE_SCRIPT_URL: `${sandbox.publicUrl}/v3/`,
  }
}
