import { BATCH_RESULT_ERRORS, batchOperation, type BatchResult } from '@coffer/contract/batch'
import { capture, hold, release } from '@coffer/contract/holds'
import { credit, debit, refund } from '@coffer/contract/server-api'
import type { ClientApp } from '../client-app/remember-client-apps.ts'
import { requireScope } from '../client-app/restriction.ts'
import type { Context } from '../context.ts'
import { parseInput } from '../http/read-input.ts'
import type { ShowError } from '../http/render-error.ts'
import { digestPair } from '../ledger/digest.ts'
import type { Kind, LedgerRequest, Outcome } from '../ledger/types.ts'
import { InvalidRequest } from '../service-error.ts'
import {
  findHold,
  recallHoldChange,
  toHoldChangeOrder,
  toHoldChangeRequest,
  type HoldChangeOrder,
} from './change-hold.ts'
import { recall, toOrder, toRequest, type FoundLink, type Order } from './debit-or-credit.ts'
import { refuseMismatch } from './mark-replay.ts'
import { toHoldOrder, toHoldRequest } from './place-hold.ts'
import { responseOf } from './rebuild-outcome.ts'
import {
  findDebit,
  recallRefund,
  toRefundOrder,
  toRefundRequest,
  type RefundOrder,
  type Target,
} from './refund-debit.ts'

type Settled<Value> = PromiseSettledResult<Value>
/** An order that names an earlier operation, which determines the wallet. */
type TargetOrder = RefundOrder | HoldChangeOrder
type BatchOrder = Order | TargetOrder
/** For the ledger, or to be recalled. */
type Step = { request: LedgerRequest } | { recall: () => Promise<Outcome> }
type Links = ReadonlyMap<string, Settled<FoundLink>>

const TYPE = { input: batchOperation.pick({ type: true }), method: 'POST' } as const

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
    toResult(context, clientApp, orders[index], outcome, showError),
  )
  for (const { status } of results) context.metrics.countBatchResult(status)
  return { results }
}

function readOrder(context: Context, clientApp: ClientApp, operation: unknown): BatchOrder {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    throw new InvalidRequest('An operation must be a JSON object.')
  }
  const fields = operation as Record<string, unknown>
  const { type } = parseInput(TYPE, fields)
  requireScope(clientApp, { debit, credit, refund, hold, capture, release }[type])
  if (type === 'refund') return toRefundOrder(context, clientApp, parseInput(refund, fields))
  if (type === 'hold') return toHoldOrder(context, clientApp, parseInput(hold, fields))
  if (type === 'capture' || type === 'release') {
    const input = parseInput(type === 'capture' ? capture : release, fields)
    return toHoldChangeOrder(context, type, clientApp, input)
  }
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
    ...new Set(
      validOf(orders).flatMap((each) => ('serviceUserId' in each ? each.serviceUserId : [])),
    ),
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
  const ofApp = { context, clientApp, links }
  if (!('serviceUserId' in value)) return toTargetStep(ofApp, validOf(earlier), value)
  const link = links.get(value.serviceUserId) as Settled<FoundLink>
  if (link.status === 'rejected') return fail(link.reason)
  const isHold = value.question.kind === 'hold'
  const request = isHold
    ? await toHoldRequest(context, clientApp, link.value, value)
    : toRequest(clientApp, link.value, value)
  return request ? { request } : { recall: () => recall(context, link.value, value) }
}

interface OfApp {
  context: Context
  clientApp: ClientApp
  links: Links
}

async function toTargetStep(
  ofApp: OfApp,
  earlier: readonly BatchOrder[],
  order: TargetOrder,
): Promise<Step> {
  const { context, clientApp } = ofApp
  try {
    const target = await findTarget(ofApp, earlier, order)
    if ('debit' in order) {
      const request = await toRefundRequest(context, clientApp, order, target)
      return request ? { request } : { recall: () => recallRefund(context, order, target) }
    }
    const request = await toHoldChangeRequest(context, clientApp, order, target)
    return request ? { request } : { recall: () => recallHoldChange(context, order, target) }
  } catch (error) {
    return fail(error)
  }
}

/** Finds the operation that an order names: an earlier one, or one before it in the batch. */
async function findTarget(
  ofApp: OfApp,
  earlier: readonly BatchOrder[],
  order: TargetOrder,
): Promise<Target | undefined> {
  const { context, clientApp } = ofApp
  if ('debit' in order) {
    const found = await findDebit(context, clientApp, order)
    return found ?? findInBatch(ofApp, earlier, order.debit, ['debit', 'capture'])
  }
  const found = await findHold(context, clientApp, order)
  return found ?? findInBatch(ofApp, earlier, order.hold, ['hold'])
}

/** The ledger decides both in this order: they share a wallet. */
async function findInBatch(
  ofApp: OfApp,
  earlier: readonly BatchOrder[],
  { referenceType, referenceId }: { referenceType: string; referenceId: string },
  kinds: readonly Kind[],
): Promise<Target | undefined> {
  const index = earlier.findIndex(
    ({ question }) =>
      question.referenceType === referenceType && question.referenceId === referenceId,
  )
  // The first operation with this pair decides.
  const found = earlier[index]
  if (found === undefined || !kinds.includes(found.question.kind)) return undefined
  const digest = digestPair(ofApp.clientApp.account, referenceType, referenceId)
  if (!('serviceUserId' in found)) {
    const target = await findTarget(ofApp, earlier.slice(0, index), found)
    return target && { digest, walletId: target.walletId }
  }
  const link = ofApp.links.get(found.serviceUserId)
  if (link?.status !== 'fulfilled' || !link.value?.isLive) return undefined
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
  clientApp: ClientApp,
  order: Settled<BatchOrder> | undefined,
  outcome: Settled<Outcome>,
  showError: ShowError,
): BatchResult {
  const kind = order?.status === 'fulfilled' ? order.value.question.kind : 'debit'
  const [respond, endpoint] = responseOf(kind)
  const replay = outcome.status === 'fulfilled' ? describeReplay(outcome.value) : {}
  try {
    if (outcome.status === 'rejected') throw outcome.reason
    refuseMismatch(context, clientApp, outcome.value)
    const { decision } = outcome.value
    return { status: 200, ...replay, ...respond(context, clientApp.account, decision) }
  } catch (error) {
    const { status, body, retryAfterSeconds } = showError(error, {
      ...endpoint,
      errors: { ...endpoint.errors, ...BATCH_RESULT_ERRORS },
    })
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
