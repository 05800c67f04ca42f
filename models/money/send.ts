/** Sends operations to the service: one, in a batch, at the same time, and while writes are paused. */
import { pauseClientApp, pauseWrites } from '@coffer/contract/admin/switches'
import { batch } from '@coffer/contract/server/batch'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { expireHolds } from '../../server/wallet/expire-holds.ts'
import { postOnLedger } from './act-on-wallets.ts'
import { compareWallets, readWallets } from './compare-wallets.ts'
import type { CommandFields, Intent } from './commands.ts'
import { mayRestricted } from './model.ts'
import { ENDPOINTS } from './responses.ts'
import type { Run } from './run.ts'
import { keyOf, type Answer, type App, type Request } from './state.ts'

export async function send(run: Run, app: App, intent: Intent, isRestricted = false) {
  const request = run.requests.make(run.model, app, intent)
  const { type, ...fields } = request
  const response = await run.sendAs(app, ENDPOINTS[type], fields, isRestricted)
  const expected = run.expect(app, request, isRestricted)
  if (isRestricted) run.hit(`${type} ${outcomeOf(expected)} with a restricted secret`)
  run.compare(response, expected, `${type} of ${app.name}`)
}

function outcomeOf({ status }: Answer): string {
  return status === 403 ? 'refused' : 'allowed'
}

/** On a machine with other work; otherwise a second. */
const PAUSE_DELAY_MAX_MS = 10_000

interface Planned {
  request: Request
  /** undefined: the user or the target is unknown, or the secret does not allow it, so it is not executed. */
  wallet: number | undefined
}

/** Operations on the same wallet, and those with the same reference, run in the given order. Others have no order. */
function isOrdered(one: Planned, two: Planned): boolean {
  if (one.wallet === undefined || two.wallet === undefined) return false
  return one.wallet === two.wallet || keyOf(one.request) === keyOf(two.request)
}

function isTargetOf({ debit, hold }: Request, named: Request): boolean {
  const target = debit ?? hold
  return target !== undefined && keyOf(target) === keyOf(named)
}

export async function sendBatch(
  run: Run,
  app: App,
  intents: readonly Intent[],
  isRestricted = false,
) {
  const planned = planBatch(run, app, intents, isRestricted)
  const results = await postBatch(run, app, planned, isRestricted)
  const isBefore = (earlier: number, later: number) =>
    isOrdered(planned[earlier] as Planned, planned[later] as Planned)
  findOrder(run, listOrders(planned.length, isBefore), (index) => {
    const { request } = planned[index] as Planned
    const expected = run.expect(app, request, isRestricted)
    if (isRestricted)
      run.hit(`${request.type} ${outcomeOf(expected)} with a restricted secret in a batch`)
    run.bindings.match(results[index], showResult(expected), `result ${index} of a batch`)
  })
}

/** Each can name an earlier one. */
function planBatch(
  run: Run,
  { index }: App,
  intents: readonly Intent[],
  isRestricted = false,
): Planned[] {
  const model = run.model.clone()
  const app = model.app(index)
  const sent: Request[] = []
  return intents.map((intent) => {
    const request = run.requests.make(model, app, intent, sent)
    sent.unshift(request)
    const isAllowed = !isRestricted || mayRestricted(app, request.type)
    const wallet = isAllowed ? model.findWallet(app, request)?.index : undefined
    model.execute(app, request, isRestricted)
    return { request, wallet }
  })
}

async function postBatch(
  run: Run,
  app: App,
  planned: readonly Planned[],
  isRestricted = false,
): Promise<unknown[]> {
  const operations = planned.map(({ request }) => request)
  const response = await run.sendAs(app, batch, { operations }, isRestricted)
  assert.equal(response.statusCode, 200, response.body)
  const { results } = response.json<{ results: unknown[] }>()
  assert.equal(results.length, planned.length)
  return results
}

function showResult({ status, body, replayed, mismatch, retryAfterSeconds }: Answer) {
  const marks = { idempotencyReplayed: replayed, idempotencyMismatch: mismatch }
  return { status, ...body, ...marks, retryAfter: retryAfterSeconds }
}

/** All orders of the positions 0 … count - 1 in which `isBefore` holds, beginning with the given one. At most `most`. */
function listOrders(
  count: number,
  isBefore: (earlier: number, later: number) => boolean,
  most = 2_000,
): number[][] {
  const orders: number[][] = []
  const positions = Array.from({ length: count }, (_, position) => position)
  const extend = (order: readonly number[]) => {
    if (orders.length === most) return
    if (order.length === count) orders.push([...order])
    const left = positions.filter((position) => !order.includes(position))
    for (const position of left) {
      const mustWait = left.some((other) => other < position && isBefore(other, position))
      if (!mustWait) extend([...order, position])
    }
  }
  extend([])
  return orders
}

/** Tries orders until the model agrees with all responses in one. */
function findOrder(
  run: Run,
  orders: readonly (readonly number[])[],
  check: (index: number) => void,
  checkAll: () => void = () => undefined,
) {
  const { model, bindings } = run
  let failure: unknown
  for (const order of orders) {
    run.model = orders.length > 1 ? model.clone() : model
    run.bindings = bindings.clone()
    try {
      for (const index of order) check(index)
      checkAll()
      return
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

/** The responses must be those of one order, and so must the wallets. */
export async function sendAtOnce(run: Run, app: App, intents: readonly Intent[]) {
  const requests = intents.map((each) => run.requests.make(run.model, app, each))
  const responses = await Promise.all(
    requests.map(({ type, ...fields }) => run.sendAs(app, ENDPOINTS[type], fields)),
  )
  const seen = await readWallets(run)
  const check = (index: number) => {
    const request = requests[index] as Request
    const what = `${request.type} at the same time as others`
    run.compare(responses[index] as LightMyRequestResponse, run.expect(app, request), what)
  }
  findOrder(
    run,
    listOrders(requests.length, () => false),
    check,
    () => compareWallets(run, seen),
  )
}

/** More entries than a page shows. */
export async function fill(run: Run, { app: appAt, wallet: at, count }: CommandFields['fill']) {
  const { model, plan } = run
  const [app, wallet] = [model.app(appAt), model.wallet(at)]
  if (plan.reader % 3 > 0 || wallet.isClosed || !model.liveLink(app, wallet)) return
  if (!plan.isRich) await postOnLedger(run, wallet, 'topup', count + wallet.debt)
  const about = {
    type: 'debit',
    wallet: at,
    user: 'live',
    repeats: 'new',
    targetOf: 'open',
  } as const
  const amount = { of: 'small', value: 1 } as const
  const none = { again: null, isFinal: undefined, seconds: undefined, description: undefined }
  const intent = { ...about, ...none, amount, target: 1, metadata: undefined }
  await sendBatch(
    run,
    app,
    Array.from({ length: count }, () => intent),
  )
}

/** Repeats get their outcome; nothing else is decided. */
export async function sendWhilePaused(run: Run, command: CommandFields['pause']) {
  const app = run.model.app(command.app)
  await setPause(run, command.of, app, true)
  try {
    if (command.isBatch) await sendPausedBatch(run, app, command.intents)
    else for (const intent of command.intents) await send(run, app, intent)
    const [first] = command.intents
    if (first) await send(run, run.model.app(1 - command.app), first)
    // The job books nothing either.
    if (command.of === 'all') await expireHolds(run.setup.harness.context)
  } finally {
    await setPause(run, command.of, app, false)
  }
}

async function setPause(run: Run, of: 'all' | 'app', { index, clientId }: App, isPaused: boolean) {
  run.note(`${isPaused ? 'pause' : 'resume'} ${of}`)
  const fields = { isPaused, ...(isPaused && { reason: 'a test' }) }
  const response = await (of === 'all'
    ? run.askAsOperator(pauseWrites, fields)
    : run.askAsOperator(pauseClientApp, { clientId, ...fields }))
  assert.equal(response.statusCode, 200, response.body)
  const { model } = run
  if (of === 'all') {
    model.isPaused = isPaused
    return
  }
  model.pausedApp = isPaused ? model.app(index) : undefined
  model.app(index).events.push({ type: 'client_app.changed', data: { changes: ['isPaused'] } })
  await waitForPause(run, clientId, isPaused)
}

/** A process may use what it knows of an app for a second. */
async function waitForPause({ setup }: Run, clientId: string, isPaused: boolean) {
  const startMs = performance.now()
  for (const { context } of setup.processes) {
    while ((await context.clientApps.find(clientId))?.isPaused !== isPaused) {
      assert(performance.now() - startMs < PAUSE_DELAY_MAX_MS, 'the pause of an app takes effect')
      await sleep(20)
    }
  }
}

/**
 * After an operation that was not decided, those on the same wallet and with the same reference are not executed, and
 * neither is one that names it: on its own it would name nothing.
 */
async function sendPausedBatch(run: Run, app: App, intents: readonly Intent[]) {
  const planned = planBatch(run, app, intents)
  const results = (await postBatch(run, app, planned)) as Record<string, unknown>[]
  const undecided: Planned[] = []
  for (const [index, { request, wallet }] of planned.entries()) {
    const names = undecided.some((each) => isTargetOf(request, each.request))
    const isBehind = names || undecided.some((each) => isOrdered(each, { request, wallet }))
    const expected = run.expect(app, request)
    const result = results[index]
    const code = result?.['code']
    const isSkipped =
      (isBehind && code === 'EARLIER_OPERATION_FAILED') || (names && code === 'SERVICE_UNAVAILABLE')
    if (!isSkipped) run.bindings.match(result, showResult(expected), `result ${index} while paused`)
    if (expected.status >= 500) undecided.push({ request, wallet })
  }
}
