import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { idOf } from '../state.ts'
import { invalidRequest } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'

export function methodsOf({ state }: Sandbox, customer: string): Stripe.PaymentMethod[] {
  return [...state.paymentMethods.values()].filter((method) => method.customer === customer)
}

export function attachToCustomer(sandbox: Sandbox, method: Stripe.PaymentMethod, customer: string) {
  method.customer = customer
  emitEvent(sandbox, 'payment_method.attached', method)
}

export function detachFromCustomer(sandbox: Sandbox, method: Stripe.PaymentMethod) {
  const { customer } = method
  method.customer = null
  sandbox.state.detached.add(method.id)
  const owner = sandbox.state.customers.get(idOf(customer))
  if (owner?.invoice_settings.default_payment_method === method.id) {
    owner.invoice_settings.default_payment_method = null
  }
  emitEvent(sandbox, 'payment_method.detached', method, { customer })
}

/** A saved card pays only for its own customer, and not after it was removed. */
export function checkCustomer(
  { state }: Sandbox,
  method: Stripe.PaymentMethod,
  intent: Stripe.PaymentIntent,
) {
  if (state.detached.has(method.id)) {
    throw invalidRequest(
      'The provided PaymentMethod was detached from a Customer. It may not be used again.',
      { param: 'payment_method' },
    )
  }
  if (method.customer === null || method.customer === intent.customer) return
  throw invalidRequest(
    `The PaymentMethod ${method.id} belongs to a Customer. Include that Customer in the \`customer\` parameter on the PaymentIntent.`,
    { param: 'payment_method' },
  )
}
