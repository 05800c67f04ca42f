import type Stripe from 'stripe'
import { LIST_PARAMS, listObjects } from '../http/list-objects.ts'
import type { Call, Operation } from '../http/mount-api.ts'
import { mergeMetadata, readString, requireString } from '../http/read-params.ts'
import { nowSeconds, randomText } from '../state.ts'
import { missing } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
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
    route: 'POST /v1/payment_methods',
    accepts: ['type', 'card', 'billing_details', 'metadata', 'allow_redisplay'],
    publishable: true,
    run: ({ sandbox, params }) => createPaymentMethod(sandbox, params),
  },
  { route: 'GET /v1/payment_methods/:id', accepts: [], run: retrieveMethod },
  { route: 'POST /v1/payment_methods/:id/attach', accepts: ['customer'], run: attachMethod },
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

function retrieveCustomer({ sandbox, id }: Call) {
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
  method.customer = customer
  emitEvent(sandbox, 'payment_method.attached', method)
  return method
}
