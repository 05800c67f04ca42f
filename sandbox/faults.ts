/** A fault of the API that hits the next `times` calls of one route. */
export type CallFault = {
  times: number
  /** Method and path as the sandbox lists them, or `*` for every call. Default: creating an intent. */
  route?: string
  /** Cut the connection instead of leaving the caller without an answer. */
  reset?: boolean
}

export type WebhookFaults = {
  /** Lose this many of the next deliveries for good; true loses all. */
  drop: number | boolean
  /** Send each event this many times more. */
  duplicate: number
  /** Hold back until so many events wait, then send them in another order. */
  reorder: number
  delayMs: number
  /** Sign with a secret that is not the endpoint's. */
  badSignature: boolean
  /** Shift the signature's time stamp: −600 is a delivery signed ten minutes ago. */
  timestampShiftSeconds: number
}

export type Faults = {
  /** Every API call waits this long before it is executed. */
  delayMs: number
  /** Nothing is done and no answer comes. */
  timeoutBefore: CallFault
  /** The call is executed and no answer comes. */
  timeoutAfter: CallFault
  /** 500 and nothing is done. */
  status500: CallFault
  /** The call is executed and answered with 500. */
  status500After: CallFault
  status429: CallFault
  /** Card payments stay in `processing` until they are settled through the control door. */
  processing: boolean
  /** How a challenge is shown when the page leaves the choice to Stripe.js. */
  threeDSecure: 'overlay' | 'redirect'
  /** The charge's balance transaction appears this much later, as Stripe's asynchronous capture does. */
  balanceTransactionDelayMs: number
  webhook: WebhookFaults
}

export const CREATE_INTENT = 'POST /v1/payment_intents'

export function createFaults(): Faults {
  return {
    delayMs: 0,
    timeoutBefore: { times: 0 },
    timeoutAfter: { times: 0 },
    status500: { times: 0 },
    status500After: { times: 0 },
    status429: { times: 0 },
    processing: false,
    threeDSecure: 'overlay',
    balanceTransactionDelayMs: 0,
    webhook: {
      drop: 0,
      duplicate: 0,
      reorder: 0,
      delayMs: 0,
      badSignature: false,
      timestampShiftSeconds: 0,
    },
  }
}

const CALL_FAULTS = [
  'timeoutBefore',
  'timeoutAfter',
  'status500',
  'status500After',
  'status429',
] as const

export type CallFaultName = (typeof CALL_FAULTS)[number]

/** Takes the fault that is due for this call, if any, and counts it down. */
export function takeCallFault(faults: Faults, route: string) {
  for (const name of CALL_FAULTS) {
    const fault = faults[name]
    const due = fault.route ?? CREATE_INTENT
    if (fault.times <= 0 || (due !== '*' && due !== route)) continue
    fault.times -= 1
    return { name, reset: fault.reset === true }
  }
  return null
}

export function isCallFault(name: string): name is CallFaultName {
  return CALL_FAULTS.some((known) => known === name)
}
