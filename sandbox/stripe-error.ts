import type Stripe from 'stripe'

type Detail = {
  code?: string
  param?: string
  decline_code?: string
  advice_code?: string
  network_decline_code?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
}

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** An error in the format of Stripe's error object. */
export class StripeError extends Error {
  readonly status: number
  readonly type: ErrorType
  readonly detail: Detail

  constructor(status: number, type: ErrorType, message: string, detail: Detail = {}) {
    super(message)
    this.status = status
    this.type = type
    this.detail = detail
  }

  toBody(requestId: string) {
    const { code, ...rest } = this.detail
    const docUrl = `https://stripe.com/docs/error-codes/${code?.replaceAll('_', '-')}`
    return {
      error: {
        ...(code === undefined ? {} : { code, doc_url: docUrl }),
        ...rest,
        message: this.message,
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
        type: this.type,
      },
    }
  }
}

export function invalidRequest(message: string, detail: Detail = {}): StripeError {
  return new StripeError(400, 'invalid_request_error', message, detail)
}

export function missing(kind: string, id: string, param = 'id', status = 404): StripeError {
  const detail = { code: 'resource_missing', param }
  return new StripeError(status, 'invalid_request_error', `No such ${kind}: '${id}'`, detail)
}
