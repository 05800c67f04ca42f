import type Stripe from 'stripe'
import { LIST_PARAMS, listObjects } from '../http/list-objects.ts'
import type { Call, Operation } from '../http/mount-api.ts'
import { mergeMetadata, readString } from '../http/read-params.ts'
import { missing } from '../stripe-error.ts'

export const CHARGE_OPERATIONS: Operation[] = [
  { route: 'GET /v1/charges', accepts: [...LIST_PARAMS, 'payment_intent', 'customer'], run: list },
  { route: 'GET /v1/charges/:id', accepts: [], run: retrieve },
  { route: 'POST /v1/charges/:id', accepts: ['metadata', 'description'], run: update },
  {
    route: 'GET /v1/balance_transactions',
    accepts: [...LIST_PARAMS, 'source', 'type', 'currency'],
    run: listBalance,
  },
  { route: 'GET /v1/balance_transactions/:id', accepts: [], run: retrieveBalance },
]

function list({ sandbox, params }: Call) {
  const intent = readString(params, 'payment_intent')
  const customer = readString(params, 'customer')
  const isWanted = (charge: Stripe.Charge) =>
    (intent === null || charge.payment_intent === intent) &&
    (customer === null || charge.customer === customer)
  return listObjects(sandbox.state.charges, params, '/v1/charges', isWanted)
}

function retrieve({ sandbox, id }: Call) {
  const charge = sandbox.state.charges.get(id)
  if (charge === undefined) throw missing('charge', id)
  return charge
}

function update(call: Call) {
  const charge = retrieve(call)
  charge.metadata = mergeMetadata(charge.metadata, call.params)
  charge.description = readString(call.params, 'description') ?? charge.description
  return charge
}

function listBalance({ sandbox, params }: Call) {
  const wanted = ['source', 'type', 'currency'] as const
  const isWanted = (transaction: Stripe.BalanceTransaction) =>
    wanted.every((name) => (readString(params, name) ?? transaction[name]) === transaction[name])
  const { balanceTransactions } = sandbox.state
  return listObjects(balanceTransactions, params, '/v1/balance_transactions', isWanted)
}

function retrieveBalance({ sandbox, id }: Call) {
  const transaction = sandbox.state.balanceTransactions.get(id)
  if (transaction === undefined) throw missing('balance_transaction', id)
  return transaction
}
