import type { Endpoint } from '@coffer/contract/endpoint'
import { BATCH_RESULT_ERRORS, batchOperation, type BatchResult } from '@coffer/contract/batch'
import { credit, debit, refund } from '@coffer/contract/server-api'
import type { ClientApp } from '../client-app/remember-client-apps.ts'
import { requireScope } from '../client-app/restriction.ts'
import type { Context } from '../context.ts'
import { parseInput } from '../http/read-input.ts'
import type { ShowError } from '../http/render-error.ts'
import { digestPair } from '../ledger/digest.ts'
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
import {
  findDebit,
  recallRefund,
  toRefundOrder,
  toRefundRequest,
  toRefundResponse,
  type RefundOrder,
  type Target,
} from './refund-debit.ts'

type Settled<Value> = PromiseSettledResult<Value>
type BatchOrder = Order | RefundOrder
/** For the ledger, or to be recalled. */
type Step = { request: LedgerRequest } | { recall: () => Promise<Outcome> }
type Links = ReadonlyMap<string, Settled<FoundLink>>

const TYPE = { input: batchOperation.pick({ type: true }), method: 'POST' } as const
/** Debits and credits have the same errors. */
const RESULT: Endpoint = { ...debit, errors: { ...debit.errors, ...BATCH_RESULT_ERRORS } }
const REFUND_RESULT: Endpoint = { ...refund, errors: { ...refund.errors, ...BATCH_RESULT_ERRORS } }

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
  const steps = await Promise.all(
    orders.map((order, index) => toStep(context, clientApp, orders.slice(0, index), order, links)),
  )
  const outcomes = await Promise.allSettled(start(context, steps))
  const results = outcomes.map((outcome, index) =>
    toResult(context, clientApp, isRefund(orders[index]), outcome, showError),
  )
  for (const { status } of results) context.metrics.countBatchResult(status)
  return { results }
}

function isRefund(order: Settled<BatchOrder> | undefined): boolean {
  return order?.status === 'fulfilled' && 'debit' in order.value
}

function readOrder(context: Context, clientApp: ClientApp, operation: unknown): BatchOrder {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    throw new InvalidRequest('An operation must be a JSON object.')
  }
  const fields = operation as Record<string, unknown>
  const { type } = parseInput(TYPE, fields)
  requireScope(clientApp, { debit, credit, refund }[type])
  if (type === 'refund') return toRefundOrder(context, clientApp, parseInput(refund, fields))
  const endpoint = type === 'debit' ? debit : credit
  return toOrder(context, type, clientApp, parseInput(endpoint, fields))
}

/** Looks up each user once. */
async function findLinks(
  { findLink }: Context,
  clientApp: ClientApp,
  orders: readonly Settled<BatchOrder>[],
): Promise<Map<string, Settled<FoundLink>>> {
  const ids = [
    ...new Set(validOf(orders).flatMap((each) => ('debit' in each ? [] : each.serviceUserId))),
  ]
  const links = await Promise.allSettled(ids.map((id) => findLink(clientApp.id, id)))
  return new Map(ids.map((id, index) => [id, links[index] as Settled<FoundLink>]))
}

function validOf(orders: readonly Settled<BatchOrder>[]): BatchOrder[] {
  return orders.flatMap((order) => (order.status === 'fulfilled' ? [order.value] : []))
}

function fail(reason: unknown): Step {
  return { recall: () => Promise.reject(reason) }
}

async function toStep(
  context: Context,
  clientApp: ClientApp,
  earlier: readonly Settled<BatchOrder>[],
  order: Settled<BatchOrder>,
  links: Links,
): Promise<Step> {
  if (order.status === 'rejected') return fail(order.reason)
  const { value } = order
  if ('debit' in value) return toRefundStep(context, clientApp, validOf(earlier), value, links)
  const link = links.get(value.serviceUserId) as Settled<FoundLink>
  if (link.status === 'rejected') return fail(link.reason)
  const request = toRequest(clientApp, link.value, value)
  return request ? { request } : { recall: () => recall(context, link.value, value) }
}

async function toRefundStep(
  context: Context,
  clientApp: ClientApp,
  earlier: readonly BatchOrder[],
  order: RefundOrder,
  links: Links,
): Promise<Step> {
  try {
    const target =
      (await findDebit(context, clientApp, order)) ?? findInBatch(clientApp, earlier, order, links)
    const request = await toRefundRequest(context, clientApp, order, target)
    return request ? { request } : { recall: () => recallRefund(context, order, target) }
  } catch (error) {
    return fail(error)
  }
}

/** The debit of a refund that is before it in the batch. The ledger decides both in this order: they share a wallet. */
function findInBatch(
  { account }: ClientApp,
  earlier: readonly BatchOrder[],
  { debit: { referenceType, referenceId } }: RefundOrder,
  links: Links,
): Target | undefined {
  const found = earlier.find(
    ({ question }) =>
      question.referenceType === referenceType && question.referenceId === referenceId,
  )
  // The first operation with this pair decides.
  if (found === undefined || 'debit' in found || found.question.kind !== 'debit') return undefined
  const link = links.get(found.serviceUserId)
  if (link?.status !== 'fulfilled' || !link.value?.isLive) return undefined
  const digest = digestPair(account, referenceType, referenceId)
  return { digest, walletId: link.value.walletId }
}

/** The ledger gets all requests at once, so that it can keep their order. */
function start({ ledger }: Context, steps: readonly Step[]): Promise<Outcome>[] {
  const requests = steps.flatMap((step) => ('request' in step ? [step.request] : []))
  const posted = ledger.postSeries(requests).values()
  return steps.map((step) =>
    'recall' in step ? step.recall() : (posted.next().value as Promise<Outcome>),
  )
}

function toResult(
  context: Context,
  { account }: ClientApp,
  ofRefund: boolean,
  outcome: Settled<Outcome>,
  showError: ShowError,
): BatchResult {
  const respond = ofRefund ? toRefundResponse : toResponse
  const replay = outcome.status === 'fulfilled' ? describeReplay(outcome.value) : {}
  try {
    if (outcome.status === 'rejected') throw outcome.reason
    return { status: 200, ...replay, ...respond(context, account, outcome.value.decision) }
  } catch (error) {
    const { status, body, retryAfterSeconds } = showError(error, ofRefund ? REFUND_RESULT : RESULT)
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
