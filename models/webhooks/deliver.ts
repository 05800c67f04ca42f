/** Events get their numbers, appear in the feed and are sent to webhooks. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { numberEvents } from '../../server/events/feed/number-events.ts'
import type { AnswerName } from './answers.ts'
import { changeSetting } from './cause.ts'
import * as compare from './compare.ts'
import * as rules from './model.ts'
import { checkRequest, isSignedWith, type Request } from './receivers.ts'
import { DAY, HOUR, RECEIVERS, SECOND, type Run, type ShownEvent } from './run.ts'
import { during } from './setup.ts'
import { lookAtFeed, lookAtWebhooks, tryCursor } from './view.ts'

const DRAIN_ROUNDS = 30
const ATTEMPTS = 12

/** All events get their numbers. */
export async function project(run: Run) {
  const at = await runProjector(run)
  for (const app of run.apps) await readNew(run, app, at)
}

/** Later than any event before, so that a time is between two rounds. */
async function runProjector({ setup }: Run): Promise<rules.Span> {
  await sleep(3)
  const { at } = await during(() => numberEvents(setup.harness.context))
  return at
}

/** The feed shows what happened since the last time: each event once, in order, and nothing else. */
async function readNew(run: Run, app: rules.App, at: rules.Span) {
  const known = run.knownOf(app)
  while (app.pending.length > 0) {
    const page = await run.readPage(app, { after: known.cursor, limit: 7 })
    assert.notEqual(page.events.length, 0, `missing: ${JSON.stringify(app.pending)}`)
    for (const shown of page.events) accept(run, app, shown, at)
    known.cursor = page.nextCursor
  }
  if (known.cursor === undefined) return
  assert.deepEqual((await run.readPage(app, { after: known.cursor })).events, [])
}

function accept(run: Run, app: rules.App, { cursor, ...shown }: ShownEvent, at: rules.Span) {
  const { id, createdAt, ...rest } = shown
  const [first] = app.pending
  const together = app.pending.filter(({ cause }) => cause === first?.cause)
  const text = JSON.stringify(sorted(rest.data))
  const happened =
    together.find(
      ({ type, data }) => type === rest.type && JSON.stringify(sorted(data)) === text,
    ) ?? first
  assert(happened, `nothing like ${JSON.stringify(shown)} happened`)
  const event = rules.numberEvent(app, happened, { ...at })
  assert.deepEqual(rest, { sequence: event.sequence, type: event.type, data: event.data })
  compare.fix({ ...event.at }, createdAt, 'createdAt')
  assert.match(id, /^evt_[0-9a-f]{32}$/)
  const isNew = run.apps.every(({ events }) => events.every((each) => each.shown?.id !== id))
  assert(isNew, 'two events have the same id')
  event.shown = { id, createdAt, cursor }
  run.hit(
    event.type === 'webhook.disabled' ? `disabled ${String(event.data['reason'])}` : event.type,
  )
}

/** A request that waits gets the event as soon as it has its number. */
export async function waitForEvent(run: Run, app: rules.App) {
  await project(run)
  const known = run.knownOf(app)
  const waiting = run.readPage(app, { after: known.cursor, waitSeconds: 20 })
  await changeSetting(run, app)
  const at = await runProjector(run)
  const page = await waiting
  for (const shown of page.events) accept(run, app, shown, at)
  assert.equal(app.pending.length, 0, 'the request waited for the event')
  known.cursor = page.nextCursor
}

export async function deliver(
  run: Run,
  { projects, rounds, rests }: { projects: boolean; rounds: number; rests: boolean },
) {
  if (projects) await project(run)
  for (let times = 0; times < rounds; times++) {
    if (rests) await run.setup.pass(7 * SECOND)
    const sent = await round(run, false)
    const isMore = run.apps.some((app) =>
      app.webhooks.some((each) => rules.listDue(each, Date.now()).length > 0),
    )
    if (sent === 0 && !isMore) return
  }
}

/** A process sends and is killed. After a minute another one sends the same again. */
export async function crash(run: Run) {
  await project(run)
  const sent = await round(run, true)
  if (sent > 0) run.hit('killed after sending')
  await run.setup.pass(61 * SECOND)
}

/** Returns how many requests were sent. */
async function round(run: Run, isKilled: boolean): Promise<number> {
  await run.avoidBoundaries()
  const { receivers } = run.setup
  receivers.take()
  const { at } = await during(() => run.setup.deliver({ isKilled }))
  const requests = receivers.take()
  const sentOf = Map.groupBy(requests, (request) => attribute(run, request, at))
  for (const app of run.apps) {
    const happened = []
    const changed = []
    for (const webhook of app.webhooks) {
      const sent = (sentOf.get(webhook) ?? []).map((request) => identify(run, webhook, request))
      compareSent(run, webhook, sent, at)
      if (sent.length === 0 || isKilled) continue
      changed.push(webhook)
      happened.push(...rules.record(webhook, sent, at))
    }
    for (const webhook of changed) noteFailed(run, webhook)
    if (happened.length > 0) rules.happen(app, at, ...happened)
    if (changed.length > 0) await lookAtWebhooks(run, app, changed)
  }
  return requests.length
}

function noteFailed(run: Run, { deliveries }: rules.Webhook) {
  const failed = [...deliveries.values()].some(({ next, isDelivered }) => !next && !isDelivered)
  if (failed) run.hit('a delivery has failed for good')
}

/** Only the webhook with this URL and these secrets can have sent it. */
function attribute(run: Run, request: Request, at: rules.Span): rules.Webhook {
  checkRequest(request)
  const all = run.apps.flatMap(({ webhooks }) => webhooks)
  const senders = all.filter(
    (each) =>
      each.url === request.url && isSignedWith(request, rules.signingSecrets(each, at.fromMs)),
  )
  const [sender] = senders
  assert(
    sender && senders.length === 1,
    `${senders.length} webhooks could have sent to ${request.url}`,
  )
  if (sender.oldSecret && rules.signingSecrets(sender, at.fromMs).length === 2)
    run.hit('two signatures')
  return sender
}

/** An event is sent with the same id and body each time, and as it is in the feed. */
function identify(run: Run, webhook: rules.Webhook, { received: { body }, answer }: Request) {
  const { id } = JSON.parse(body) as { id: string }
  const event = webhook.app.events.find(({ shown }) => shown?.id === id)
  assert(event, `no event of this app: ${body}`)
  const before = run.bodies.get(event) ?? body
  assert.equal(body, before)
  assert.deepEqual(JSON.parse(body), compare.bodyOf(event))
  run.bodies.set(event, body)
  run.hit(`answered ${answer}`)
  return { event, answer }
}

function compareSent(
  run: Run,
  webhook: rules.Webhook,
  sent: readonly { event: rules.Event }[],
  at: rules.Span,
) {
  const numbers = sent.map(({ event }) => event.sequence).toSorted((a, b) => a - b)
  const due = rules.listDue(webhook, at.fromMs).map(({ sequence }) => sequence)
  const must = rules.mustSend(webhook, at)
  if (due.length > 0 && must === false) run.hit('it rests')
  if (sent.length === 0 && must !== true) return
  const expected = must === false ? [] : due.toSorted((a, b) => a - b)
  assert.deepEqual(
    numbers,
    expected,
    `sent by ${webhook.id}, failing: ${Boolean(webhook.failingSince)}`,
  )
}

/** After 40 days old events are gone, and those who had not read them learn it. */
export async function expireEvents(run: Run, app: rules.App) {
  await project(run)
  const last = app.events.length - 1
  await run.pass(40 * DAY)
  await changeSetting(run, app)
  await project(run)
  for (const event of [last, last - 1, 0]) {
    if (event >= 0) await tryCursor(run, app, { from: 'event', event })
  }
  await lookAtFeed(run, app, { limit: 3, types: null })
}

/** New events fail for more than five days. */
export async function failForDays(run: Run, app: rules.App, answer: AnswerName) {
  answerAll(run, answer)
  for (let times = 0; times < 6; times++) {
    await changeSetting(run, app)
    await deliver(run, { projects: true, rounds: 1, rests: true })
    await run.pass(26 * HOUR)
  }
}

function answerAll(run: Run, answer: AnswerName) {
  for (let receiver = 0; receiver < RECEIVERS; receiver++) run.answer(receiver, [answer])
}

/** All attempts of one event, once nothing else waits. */
export async function failAllAttempts(run: Run, app: rules.App, answer: AnswerName) {
  await drain(run)
  answerAll(run, answer)
  await changeSetting(run, app)
  await project(run)
  for (let times = 0; times < ATTEMPTS; times++) {
    await round(run, false)
    await run.pass('due')
  }
}

/** Once every receiver works, nothing that waits is lost. */
export async function drain(run: Run) {
  answerAll(run, 'ok')
  await run.pass(26 * HOUR)
  for (let times = 0; times < DRAIN_ROUNDS; times++) {
    await run.setup.pass(7 * SECOND)
    if ((await round(run, false)) === 0) break
  }
  for (const webhook of run.apps.flatMap((app) => rules.webhooksOf(app))) {
    assert.deepEqual(rules.listDue(webhook, Date.now()), [], 'a delivery waits')
  }
}

/** With its names in alphabetical order. */
function sorted(data: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
