import type Stripe from 'stripe'
import type { State } from '../state.ts'
import { invalidRequest } from '../stripe-error.ts'
import { listOf } from './list-objects.ts'

type Json = Record<string, unknown>

/** Returns a copy in which the requested ids are replaced by their objects. */
export function expandObject(state: State, response: object, paths: string[]): object {
  const copy = structuredClone(response)
  for (const path of paths) {
    if (path.split('.').length > 4) {
      throw invalidRequest('You cannot expand more than 4 levels of a property.')
    }
    expandPath(state, copy as Json, path.split('.'), path)
  }
  return copy
}

function expandPath(state: State, target: Json, [key = '', ...rest]: string[], path: string) {
  const inner = target[key] ?? includeRefunds(state, target, key)
  const found = typeof inner === 'string' ? findObject(state, inner) : inner
  if (found === undefined) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  }
  if (found === null) return
  target[key] = typeof inner === 'string' ? structuredClone(found) : found
  if (rest.length === 0) return
  const items = Array.isArray(found) ? found : [target[key]]
  for (const item of items) expandPath(state, item as Json, rest, path)
}

/** A charge contains its refunds only if the caller expands them. */
function includeRefunds(state: State, target: Json, key: string): unknown {
  if (key !== 'refunds' || target['object'] !== 'charge') return key in target ? null : undefined
  const id = String(target['id'])
  const refunds = [...state.refunds.values()].filter((refund) => refund.charge === id)
  const list: Stripe.ApiList<Stripe.Refund> = listOf(
    refunds.toReversed(),
    `/v1/charges/${id}/refunds`,
  )
  target[key] = structuredClone(list)
  return target[key]
}

export function findObject(state: State, id: string): object | undefined {
  const kinds: Record<string, Map<string, object>> = {
    pi: state.paymentIntents,
    pm: state.paymentMethods,
    ch: state.charges,
    re: state.refunds,
    du: state.disputes,
    txn: state.balanceTransactions,
    cus: state.customers,
  }
  return kinds[id.split('_')[0] ?? '']?.get(id)
}
