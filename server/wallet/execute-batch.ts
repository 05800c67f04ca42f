import type { Endpoint } from '@coffer/contract/endpoint'
import {
  BATCH_RESULT_ERRORS,
  batchOperation,
  credit,
  debit,
  type BatchResult,
} from '@coffer/contract/server-api'
import type { ClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import { parseInput } from '../http/read-input.ts'
import type { ShowError } from '../http/render-error.ts'
import type { LedgerRequest, Outcome } from '../ledger/types.ts'
import { InvalidRequest } from '../service-error.ts'
import {
  recall,
  toOrder,
  toRequest,
  toResponse,
  type FoundLink,
  type Order,
} from './debit-or-credit.ts'

type Settled<Value> = PromiseSettledResult<Value>
/** For the ledger, or already known. */
type Step = { request: LedgerRequest } | { outcome: Promise<Outcome> }

const ENDPOINTS = { debit, credit }
const TYPE = { input: batchOperation.pick({ type: true }), method: 'POST' } as const
/** Debits and credits have the same errors. */
const RESULT: Endpoint = { ...debit, errors: { ...debit.errors, ...BATCH_RESULT_ERRORS } }

/** Executes operations, each as if it had been sent alone; those on the same wallet in the given order. */
export async function executeBatch(
  context: Context,
  clientApp: ClientApp,
  operations: readonly unknown[],
  showError: ShowError,
): Promise<{ results: BatchResult[] }> {
  const orders = await Promise.allSettled(
    operations.map(async (each) => readOrder(context, clientApp, each)),
  )
  const links = await findLinks(context, clientApp, orders)
  const outcomes = await Promise.allSettled(start(context, clientApp, orders, links))
  const results = outcomes.map((outcome) => toResult(context, clientApp, outcome, showError))
  for (const { status } of results) context.metrics.countBatchResult(status)
  return { results }
}

function readOrder(context: Context, clientApp: ClientApp, operation: unknown): Order {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    throw new InvalidRequest('An operation must be a JSON object.')
  }
  const fields = operation as Record<string, unknown>
  const { type } = parseInput(TYPE, fields)
  return toOrder(context, type, clientApp, parseInput(ENDPOINTS[type], fields))
}

/** Looks up each user once. */
async function findLinks(
  { findLink }: Context,
  clientApp: ClientApp,
  orders: readonly Settled<Order>[],
): Promise<Map<string, Settled<FoundLink>>> {
  const valid = orders.flatMap((order) => (order.status === 'fulfilled' ? [order.value] : []))
  const ids = [...new Set(valid.map((order) => order.serviceUserId))]
  const links = await Promise.allSettled(ids.map((id) => findLink(clientApp.id, id)))
  return new Map(ids.map((id, index) => [id, links[index] as Settled<FoundLink>]))
}

/** The ledger gets all requests at once, so that it can keep their order. */
function start(
  context: Context,
  clientApp: ClientApp,
  orders: readonly Settled<Order>[],
  links: ReadonlyMap<string, Settled<FoundLink>>,
): Promise<Outcome>[] {
  const steps = orders.map((order): Step => {
    if (order.status === 'rejected') return { outcome: Promise.reject(order.reason as Error) }
    const link = links.get(order.value.serviceUserId) as Settled<FoundLink>
    if (link.status === 'rejected') return { outcome: Promise.reject(link.reason as Error) }
    const request = toRequest(clientApp, link.value, order.value)
    return request ? { request } : { outcome: recall(context, link.value, order.value) }
  })
  const requests = steps.flatMap((step) => ('request' in step ? [step.request] : []))
  const posted = context.ledger.postSeries(requests).values()
  return steps.map((step) =>
    'outcome' in step ? step.outcome : (posted.next().value as Promise<Outcome>),
  )
}

function toResult(
  context: Context,
  { account }: ClientApp,
  outcome: Settled<Outcome>,
  showError: ShowError,
): BatchResult {
  const replay = outcome.status === 'fulfilled' ? describeReplay(outcome.value) : {}
  try {
    if (outcome.status === 'rejected') throw outcome.reason
    return { status: 200, ...replay, ...toResponse(context, account, outcome.value.decision) }
  } catch (error) {
    const { status, body, retryAfterSeconds } = showError(error, RESULT)
    const wait = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }
    return { status, ...replay, ...wait, ...body }
  }
}

/** The fields for the headers Idempotency-Replayed and Idempotency-Mismatch. */
function describeReplay({ replayed, mismatch }: Outcome) {
  return {
    ...(replayed && { idempotencyReplayed: true as const }),
    ...(mismatch.length > 0 && { idempotencyMismatch: mismatch.join(', ') }),
  }
}
