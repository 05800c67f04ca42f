import type { Config } from '../../config.ts'
import { createProcessor, explainFault, type Processor } from '../../processor/stripe.ts'
import { error, ok, warning, type Finding } from './finding.ts'

/** The processor's clock, in whole seconds, and the time of a request. */
const CLOCK_MS = 5_000
const WEBHOOK_PATH = '/api/processor/webhook'
const EVENTS: string[] = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'charge.refunded',
  'refund.updated',
  'charge.dispute.created',
]

export async function examineProcessor({ stripe, publicOrigin }: Config): Promise<Finding[]> {
  const processor = await createProcessor(stripe)
  if (stripe === undefined || processor === undefined) {
    const fix = 'Set the three STRIPE_ keys to enable top-ups.'
    return [warning('No card processor: top-ups are not available.', fix)]
  }
  const isTestPage = stripe.publishableKey.startsWith('pk_test_')
  if (isTestPage !== stripe.isTest) {
    return [
      error(
        `STRIPE_SECRET_KEY is ${mode(stripe.isTest)}, but STRIPE_PUBLISHABLE_KEY is ${mode(isTestPage)}.`,
        'Use the two keys of the same mode.',
      ),
    ]
  }
  try {
    const { lastResponse } = await processor.stripe.paymentIntents.list({ limit: 1 })
    const kind = stripe.isTest ? 'test keys: no real money moves' : 'live keys'
    return [
      ok(`The card processor accepts the credentials (${kind}).`),
      ...examineClock(lastResponse.headers['date']),
      await examineWebhook(processor, publicOrigin),
    ]
  } catch (cause) {
    const fault = explainFault(cause)
    const statusCode = fault?.['statusCode']
    if (statusCode === 401 || statusCode === 403) {
      return [
        error(
          `The card processor refuses STRIPE_SECRET_KEY (status ${statusCode}).`,
          'Copy the key from the dashboard of Stripe again; a restricted key needs access to payments (docs/operations.md, Card payments).',
        ),
      ]
    }
    return [
      error(
        `The card processor does not respond${fault === undefined ? '' : `: ${JSON.stringify(fault)}`}.`,
        "Check the connection of this machine to the internet, its DNS, and Stripe's status page. Payments wait meanwhile; nothing is lost.",
      ),
    ]
  }
}

const mode = (isTest: boolean) => (isTest ? 'a test key' : 'live')

/** The service and the database may share one wrong clock; the processor has another one. */
function examineClock(date: string | undefined): Finding[] {
  const aheadMs = Date.now() - Date.parse(date ?? '')
  if (Number.isNaN(aheadMs)) return []
  if (Math.abs(aheadMs) < CLOCK_MS) {
    return [ok('The clocks of the service and the card processor agree.')]
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return [
    error(
      `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the card processor.`,
      'Synchronize it with NTP. A webhook whose time differs by five minutes is refused.',
    ),
  ]
}

async function examineWebhook(
  { stripe }: Processor,
  publicOrigin: string | undefined,
): Promise<Finding> {
  const polls = 'Until then payments are found by polling only.'
  if (publicOrigin === undefined) {
    return warning('The webhook cannot be checked without PUBLIC_URL.', 'Set PUBLIC_URL.')
  }
  const url = `${publicOrigin}${WEBHOOK_PATH}`
  let endpoints
  try {
    endpoints = await stripe.webhookEndpoints.list({ limit: 100 })
  } catch (cause) {
    if (explainFault(cause)?.['statusCode'] !== 403) throw cause
    return warning(
      'STRIPE_SECRET_KEY may not read the registered webhooks.',
      `Check at Stripe that ${url} is registered and enabled.`,
    )
  }
  const registered = endpoints.data.filter((each) => each.url === url)
  const enabled = registered.filter(({ status }) => status === 'enabled')
  if (enabled.length === 0) {
    return registered.length > 0
      ? warning(
          `The webhook ${url} is disabled at the card processor.`,
          `Enable it in the dashboard of Stripe. ${polls}`,
        )
      : warning(
          `The webhook ${url} is not registered at the card processor.`,
          `Register it at Stripe for these events: ${EVENTS.join(', ')}. ${polls}`,
        )
  }
  const received = enabled.flatMap((each) => each.enabled_events)
  const missing = EVENTS.filter((event) => !received.includes('*') && !received.includes(event))
  if (missing.length > 0) {
    return warning(
      `The webhook ${url} does not receive ${missing.join(', ')}.`,
      `Add these events to it in the dashboard of Stripe. ${polls}`,
    )
  }
  return ok(`The webhook ${url} is registered.`)
}
