/** A fault that affects the next `times` calls of one route. */
export type CallFault = {
  times: number
  /** Method and path as the sandbox lists them, or `*` for every call. Default: creating an intent. */
  route?: string
  /** Close the connection instead of leaving it open without a response. */
  reset?: boolean
}

export type WebhookFaults = {
  /** Do not send this many of the next deliveries; true drops all. */
  drop: number | boolean
  /** Send each event this many additional times. */
  duplicate: number
  /** Hold events back until there are this many, then send them in a different order. */
  reorder: number
  delayMs: number
  /** Sign with a secret that is not the endpoint's. */
  badSignature: boolean
  /** Shift the signature's timestamp: −600 is a delivery signed ten minutes ago. */
  timestampShiftSeconds: number
}

export type Faults = {
  /** Every API call waits this long before it is executed. */
  delayMs: number
  /** The call is not executed and gets no response. */
  timeoutBefore: CallFault
  /** The call is executed and gets no response. */
  timeoutAfter: CallFault
  /** The call is not executed and gets 500. */
  status500: CallFault
  /** The call is executed and gets 500. */
  status500After: CallFault
  status429: CallFault
  /** Card payments stay in `processing` until `endProcessing` is called. */
  processing: boolean
  /** How Stripe.js shows a challenge if the page does not choose. */
  threeDSecure: 'overlay' | 'redirect'
  /** The charge's balance transaction is created this much later, as with Stripe's asynchronous capture. */
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

/** Returns the fault for this call, if any, and decreases its remaining `times`. */
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
