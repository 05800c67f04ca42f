import { createServer } from 'node:http'
import { after } from 'node:test'
import { Stripe } from 'stripe'
import { findSchemaFaults } from './check-schema.ts'
import { startSandbox, type RunningSandbox, type SandboxOptions } from './start-sandbox.ts'

/** A sandbox, and the official SDK pointed at it, for one test file. */
export async function startWithSdk(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options)
  after(() => sandbox.close())
  const stripe = new Stripe(sandbox.secretKey, {
    ...sandbox.sdkOptions,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(checkedFetch),
  })
  return { sandbox, stripe }
}

/** Holds every answer that the SDK gets in any test against Stripe's own schemas. */
export async function checkedFetch(input: string | URL | Request, init?: RequestInit) {
  const response = await fetch(input, init)
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  const route = `${init?.method ?? 'GET'} ${pathname}`
  const faults = findSchemaFaults(route, response.status, await response.clone().json())
  if (faults.length > 0) throw new Error(`${route} breaks Stripe's schema: ${faults.join('; ')}`)
  return response
}

export type Received = { signature: string; body: string; at: number }

/** A webhook receiver that keeps what it gets and answers what it is told. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = { received, url: '', status: 200 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const signature = String(request.headers['stripe-signature'])
      received.push({ signature, body: Buffer.concat(chunks).toString(), at: Date.now() })
      response.writeHead(receiver.status).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  after(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  receiver.url = `http://127.0.0.1:${address.port}/webhook`
  return receiver
}

export async function payWith(stripe: Stripe, paymentMethod: string, amount = 2000) {
  return await stripe.paymentIntents.create({
    amount,
    currency: 'usd',
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    confirm: true,
    metadata: { user: 'u1' },
  })
}

export function chargeIdOf(intent: Stripe.PaymentIntent): string {
  if (typeof intent.latest_charge !== 'string') throw new Error('no charge')
  return intent.latest_charge
}

export function eventTypes(sandbox: RunningSandbox): string[] {
  return [...sandbox.state.events.values()].map(({ type }) => type)
}

/** The refusal that a call must end in. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error('the call was not refused')
}
