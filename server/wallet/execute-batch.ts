import {
  BATCH_RESULT_ERRORS,
  batchOperation,
  type BatchResult,
} from '@coffer/contract/server/batch'
import { capture, hold, release } from '@coffer/contract/server/holds'
import { credit, debit, refund } from '@coffer/contract/server/wallet'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import { requireScope } from '../client-app/restriction.ts'
import type { Context } from '../context.ts'
import { parseInput } from '../http/read-input.ts'
import type { ShowError } from '../http/render-error.ts'
import { digestPair } from '../ledger/digest.ts'
import type { LedgerRequest, Outcome } from '../ledger/types.ts'
import { InvalidRequest, ServiceError } from '../service-error.ts'
import {
  replay,
  toDraft,
  toRequest,
  type FoundLink,
  type OperationDraft,
} from './debit-or-credit.ts'
import {
  postOnTarget,
  replayOnTarget,
  toTargetDraft,
  toTargetRequest,
  walletOf,
  type TargetDraft,
} from './execute-on-target.ts'
import { refuseMismatch } from './mark-replay.ts'
import { toHoldDraft } from './place-hold.ts'
import { responseOf } from './rebuild-outcome.ts'

type Settled<Value> = PromiseSettledResult<Value>
type BatchDraft = OperationDraft | TargetDraft

/** A request for the ledger. */
interface Posted {
  request: LedgerRequest
  /** Executes the operation alone, if its target turns out to be on another wallet than expected. */
  again?: () => Promise<Outcome>
}

/**
 * How an operation is executed. If it repeats the reference of an earlier operation on another wallet, it is only
 * replayed.
 */
type Step = Posted | { behind: Posted; request: LedgerRequest } | { replay: () => Promise<Outcome> }
type Links = ReadonlyMap<string, Settled<FoundLink>>

const TYPE = { input: batchOperation.pick({ type: true }), method: 'POST' } as const

/** Executes operations, each as if it had been sent alone; those on the same wallet in the given order. */
export async function executeBatch(
  context: Context,
  clientApp: ClientApp,
  operations: readonly unknown[],
  showError: ShowError,
): Promise<{ results: BatchResult[] }> {
  const drafts = await Promise.allSettled(
    operations.map(async (each) => readDraft(context, clientApp, each)),
  )
  const links = await findLinks(context, clientApp, drafts)
  const steps = await planSteps({ context, clientApp, links }, drafts)
  const outcomes = await Promise.allSettled(start(context, steps))
  const results = outcomes.map((outcome, index) =>
    toResult(context, clientApp, drafts[index], outcome, showError),
  )
  for (const { status } of results) context.metrics.countBatchResult(status)
  return { results }
}

function readDraft(context: Context, clientApp: ClientApp, operation: unknown): BatchDraft {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    throw new InvalidRequest('An operation must be a JSON object.')
  }
  const fields = operation as Record<string, unknown>
  const { type } = parseInput(TYPE, fields)
  requireScope(clientApp, { debit, credit, refund, hold, capture, release }[type])
  if (type === 'refund') {
    const input = parseInput(refund, fields)
    return toTargetDraft(context, 'refund', clientApp, input.debit, input)
  }
  if (type === 'hold') return toHoldDraft(context, clientApp, parseInput(hold, fields))
  if (type === 'capture' || type === 'release') {
    const input = parseInput(type === 'capture' ? capture : release, fields)
    return toTargetDraft(context, type, clientApp, input.hold, input)
  }
  const endpoint = type === 'debit' ? debit : credit
  return toDraft(context, type, clientApp, parseInput(endpoint, fields))
}

/** Looks up each user once. */
async function findLinks(
  { findLink }: Context,
  clientApp: ClientApp,
  drafts: readonly Settled<BatchDraft>[],
): Promise<Map<string, Settled<FoundLink>>> {
  const ids = [
    ...new Set(
      validOf(drafts).flatMap((each) => ('serviceUserId' in each ? each.serviceUserId : [])),
    ),
  ]
  const links = await Promise.allSettled(ids.map((id) => findLink(clientApp.id, id)))
  return new Map(ids.map((id, index) => [id, links[index] as Settled<FoundLink>]))
}

function validOf(drafts: readonly Settled<BatchDraft>[]): BatchDraft[] {
  return drafts.flatMap((draft) => (draft.status === 'fulfilled' ? [draft.value] : []))
}

interface OfApp {
  context: Context
  clientApp: ClientApp
  links: Links
}

/** The steps do not wait for each other, unless one names the reference of another. */
function planSteps(ofApp: OfApp, drafts: readonly Settled<BatchDraft>[]): Promise<Step[]> {
  const firsts = new Map<string, Promise<Step>>()
  const steps = drafts.map(async (draft): Promise<Step> => {
    if (draft.status === 'rejected') return fail(draft.reason)
    const { value } = draft
    const { counterAccount, referenceType, referenceId } = value.lookup
    const digest = digestPair(counterAccount, referenceType, referenceId)
    const earlier = firsts.get(digest)
    const planned = toStep(ofApp, value, 'target' in value ? firsts.get(value.target) : undefined)
    if (earlier === undefined) firsts.set(digest, planned)
    const [first, step] = await Promise.all([earlier, planned])
    const isElsewhere = first && 'request' in first && 'request' in step && isOther(first, step)
    return isElsewhere && !('behind' in first) ? { behind: first, request: step.request } : step
  })
  return Promise.all(steps)
}

function isOther(one: { request: LedgerRequest }, two: { request: LedgerRequest }): boolean {
  return one.request.walletId !== two.request.walletId
}

async function toStep(
  ofApp: OfApp,
  draft: BatchDraft,
  target: Promise<Step> | undefined,
): Promise<Step> {
  const { context, clientApp, links } = ofApp
  try {
    if ('target' in draft) return await toTargetStep(ofApp, draft, target)
    const link = links.get(draft.serviceUserId) as Settled<FoundLink>
    if (link.status === 'rejected') return fail(link.reason)
    const request = toRequest(clientApp, link.value, draft)
    return request ? { request } : { replay: () => replay(context, link.value, draft) }
  } catch (error) {
    return fail(error)
  }
}

/** The target was decided before, or is expected on the wallet of an earlier operation of the batch. */
async function toTargetStep(
  { context, clientApp }: OfApp,
  draft: TargetDraft,
  earlier: Promise<Step> | undefined,
): Promise<Step> {
  const before = await earlier
  const isInBatch = before !== undefined && 'request' in before
  const { ledger } = context
  const decided = isInBatch
    ? await ledger.readTarget(draft.target)
    : await ledger.findTarget(clientApp.ledgerAccount, draft.target)
  const target = decided ?? (isInBatch ? before.request : undefined)
  const walletId = target && walletOf(draft, target)
  const request = await toTargetRequest(context, clientApp, draft, walletId)
  if (request === undefined) return { replay: () => replayOnTarget(context, draft, walletId) }
  if (decided) return { request }
  return { request, again: () => postOnTarget(context, clientApp, draft) }
}

function fail(reason: unknown): Step {
  return { replay: () => Promise.reject(reason) }
}

/** The ledger gets all requests at once, so that it can keep their order. */
function start({ ledger }: Context, steps: readonly Step[]): Promise<Outcome>[] {
  const posted = steps.filter((step): step is Posted => 'request' in step && !('behind' in step))
  const promises = ledger.postSeries(posted.map(({ request }) => request))
  const outcomes = new Map(posted.map((step, index) => [step, settle(step, promises[index])]))
  return steps.map((step) => {
    if ('replay' in step) return step.replay()
    if (!('behind' in step)) return outcomes.get(step) as Promise<Outcome>
    return replayAfter(ledger, step.request, outcomes.get(step.behind))
  })
}

async function settle({ again }: Posted, posted?: Promise<Outcome>): Promise<Outcome> {
  const outcome = (await posted) as Outcome
  const isLost = outcome.decision.refusal === 'OPERATION_NOT_FOUND'
  return isLost && again ? again() : outcome
}

/** The earlier operation has decided the reference. */
async function replayAfter(
  ledger: Context['ledger'],
  request: LedgerRequest,
  earlier?: Promise<Outcome>,
): Promise<Outcome> {
  const isDecided = await earlier?.then(
    () => true,
    () => false,
  )
  const known = isDecided ? await ledger.replay(request) : undefined
  if (known === undefined) throw new ServiceError('EARLIER_OPERATION_FAILED')
  return known
}

function toResult(
  context: Context,
  clientApp: ClientApp,
  draft: Settled<BatchDraft> | undefined,
  outcome: Settled<Outcome>,
  showError: ShowError,
): BatchResult {
  const kind = draft?.status === 'fulfilled' ? draft.value.lookup.kind : 'debit'
  const [respond, endpoint] = responseOf(kind)
  const replayFields = outcome.status === 'fulfilled' ? describeReplay(outcome.value) : {}
  try {
    if (outcome.status === 'rejected') throw outcome.reason
    refuseMismatch(context, clientApp, outcome.value)
    const { decision } = outcome.value
    return { status: 200, ...replayFields, ...respond(context, clientApp.ledgerAccount, decision) }
  } catch (error) {
    const { status, body, retryAfterSeconds } = showError(error, {
      ...endpoint,
      errors: { ...endpoint.errors, ...BATCH_RESULT_ERRORS },
    })
    const wait = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }
    return { status, ...replayFields, ...wait, ...body }
  }
}

/** The fields for the headers Idempotency-Replayed and Idempotency-Mismatch. */
function describeReplay({ replayed, mismatch }: Outcome) {
  return {
    ...(replayed && { idempotencyReplayed: true as const }),
    ...(mismatch.length > 0 && { idempotencyMismatch: mismatch.join(', ') }),
  }
}
