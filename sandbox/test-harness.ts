import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after } from 'node:test'
import { Stripe } from 'stripe'
import { findTypeFaults, sampleOf, type Reader, type Sample } from './check-types.ts'
import { startSandbox, type RunningSandbox, type SandboxOptions } from './start-sandbox.ts'

/** Starts a sandbox for one test file, and the official SDK configured to use it. */
export async function startWithSdk(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options)
  after(() => sandbox.close())
  const stripe = new Stripe(sandbox.secretKey, {
    ...sandbox.sdkOptions,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient((input, init) => checkedFetch(input, init)),
  })
  return { sandbox, stripe }
}

const samples: Sample[] = []

/** Keeps every response that a test gets, and checks them together when the tests of the file are over. */
export async function checkedFetch(
  input: string | URL | Request,
  init?: RequestInit,
  reader: Reader = 'server',
) {
  const response = await fetch(input, init)
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  const route = `${init?.method ?? 'GET'} ${pathname}`
  samples.push(sampleOf(route, response.status, await response.clone().json(), reader))
  return response
}

after(async () => {
  if (samples.length > 0) assert.deepEqual(await findTypeFaults(samples), [])
})

export type Received = { signature: string; body: string; at: number }

/** A webhook receiver that stores all deliveries and responds with the configured status. */
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

/** Returns the error of a call that must fail. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error('the call succeeded')
}
