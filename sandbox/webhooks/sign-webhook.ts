import { createHmac } from 'node:crypto'

/** The `Stripe-Signature` header for a body that is sent at `timestamp`. */
export function signWebhook(body: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return `t=${timestamp},v1=${signature}`
}
