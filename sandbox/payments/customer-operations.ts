import type Stripe from 'stripe'
import { LIST_PARAMS, listObjects } from '../http/list-objects.ts'
import type { Call, Operation } from '../http/mount-api.ts'
import { mergeMetadata, readGroup, readString, requireString } from '../http/read-params.ts'
import { nowSeconds, randomText } from '../state.ts'
import { invalidRequest, missing } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { attachToCustomer, detachFromCustomer, methodsOf } from './attach-payment-method.ts'
import { createPaymentMethod, findPaymentMethod } from './create-payment-method.ts'

export const CUSTOMER_OPERATIONS: Operation[] = [
  {
    route: 'POST /v1/customers',
    accepts: ['name', 'email', 'phone', 'description', 'metadata'],
    run: createCustomer,
  },
  { route: 'GET /v1/customers', accepts: [...LIST_PARAMS, 'email'], run: listCustomers },
  { route: 'GET /v1/customers/:id', accepts: [], run: retrieveCustomer },
  {
    route: 'POST /v1/customers/:id',
    accepts: ['name', 'email', 'phone', 'description', 'metadata', 'invoice_settings'],
    run: updateCustomer,
  },
  {
    route: 'GET /v1/payment_methods',
    accepts: [...LIST_PARAMS, 'customer', 'type'],
    run: listMethods,
  },
  {
    route: 'POST /v1/payment_methods',
    accepts: ['type', 'card', 'billing_details', 'metadata', 'allow_redisplay'],
    publishable: true,
    run: ({ sandbox, params }) => createPaymentMethod(sandbox, params),
  },
  { route: 'GET /v1/payment_methods/:id', accepts: [], run: retrieveMethod },
  { route: 'POST /v1/payment_methods/:id/attach', accepts: ['customer'], run: attachMethod },
  { route: 'POST /v1/payment_methods/:id/detach', accepts: [], run: detachMethod },
  { route: 'DELETE /v1/customers/:id', accepts: [], run: deleteCustomer },
]

function createCustomer({ sandbox, params }: Call) {
  const customer: Stripe.Customer = {
    id: `cus_${randomText(14)}`,
    object: 'customer',
    address: null,
    balance: 0,
    created: nowSeconds(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: readString(params, 'description'),
    discount: null,
    email: readString(params, 'email'),
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, params),
    name: readString(params, 'name'),
    next_invoice_sequence: 1,
    phone: readString(params, 'phone'),
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  sandbox.state.customers.set(customer.id, customer)
  emitEvent(sandbox, 'customer.created', customer)
  return customer
}

function listCustomers({ sandbox, params }: Call) {
  const email = readString(params, 'email')
  const isWanted = (customer: Stripe.Customer) => email === null || customer.email === email
  return listObjects(sandbox.state.customers, params, '/v1/customers', isWanted)
}

function retrieveCustomer({ sandbox, id }: Pick<Call, 'sandbox' | 'id'>) {
  const customer = sandbox.state.customers.get(id)
  if (customer === undefined) throw missing('customer', id)
  return customer
}

function retrieveMethod({ sandbox, id }: Call) {
  const method = sandbox.state.paymentMethods.get(id)
  if (method === undefined) throw missing('PaymentMethod', id)
  return method
}

function attachMethod({ sandbox, id, params }: Call) {
  const customer = requireString(params, 'customer')
  if (!sandbox.state.customers.has(customer)) throw missing('customer', customer, 'customer', 400)
  const method = findPaymentMethod(sandbox, id)
  attachToCustomer(sandbox, method, customer)
  return method
}

function detachMethod({ sandbox, id }: Call) {
  const method = sandbox.state.paymentMethods.get(id)
  if (method === undefined) throw missing('PaymentMethod', id)
  if (method.customer === null) {
    throw invalidRequest('The payment method you provided is not attached to a customer.')
  }
  detachFromCustomer(sandbox, method)
  return method
}

function updateCustomer({ sandbox, id, params }: Call) {
  const customer = retrieveCustomer({ sandbox, id })
  for (const name of ['name', 'email', 'phone', 'description'] as const) {
    const value = readString(params, name)
    if (value !== null) customer[name] = value
  }
  customer.metadata = mergeMetadata(customer.metadata, params)
  const settings = readGroup(params, 'invoice_settings') ?? {}
  const methodId = readString(settings, 'default_payment_method')
  if (methodId !== null) {
    if (sandbox.state.paymentMethods.get(methodId)?.customer !== id) {
      throw missing('PaymentMethod', methodId, 'invoice_settings[default_payment_method]', 400)
    }
    customer.invoice_settings.default_payment_method = methodId
  }
  return customer
}

function deleteCustomer({ sandbox, id }: Call): Stripe.DeletedCustomer {
  retrieveCustomer({ sandbox, id })
  for (const method of methodsOf(sandbox, id)) detachFromCustomer(sandbox, method)
  sandbox.state.customers.delete(id)
  return { id, object: 'customer', deleted: true }
}

function listMethods({ sandbox, params }: Call) {
  const customer = readString(params, 'customer')
  if (customer !== null) retrieveCustomer({ sandbox, id: customer })
  const type = readString(params, 'type') ?? 'card'
  const isWanted = (method: Stripe.PaymentMethod) =>
    method.type === type && (customer === null || method.customer === customer)
  return listObjects(sandbox.state.paymentMethods, params, '/v1/payment_methods', isWanted)
}
