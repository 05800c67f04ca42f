/**
 * The reference model of events, webhooks and deliveries: what contract/server/webhooks.ts, docs/webhooks.md and docs/events.md
 * promise, in plain data structures. It knows no outbox, leases or SQL.
 */
import type { ErrorCode } from '@coffer/contract/errors'
import type { EventType } from '@coffer/contract/server/events'
import { WEBHOOKS_MAX } from '@coffer/contract/limits'
import { ANSWERS, type AnswerName } from './answers.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** docs/webhooks.md, Deliveries. */
const RETRY_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]
const JITTER = 1.1
const FAILING_MS = 5 * DAY
const REST_MS = 5 * SECOND
const AT_ONCE = 8
const ATTEMPTS_KEPT = 20
const DELIVERIES_KEPT_MS = 14 * DAY
/** 30 days after the end of the week in which it got its number. */
const EVENT_KEPT_DAYS = 37
/** Changes and tests in 10 minutes. */
export const MANAGED_MAX = 30
const OVERLAP_MS = { none: 0, '1h': HOUR, '24h': DAY, '7d': 7 * DAY }
export type Overlap = keyof typeof OVERLAP_MS

/** A time that is known only roughly until the service has shown it. */
export interface Span {
  fromMs: number
  toMs: number
}

/** A restricted secret of an app, with webhooks:manage. */
export interface Secret {
  value: string
  name: string
  endsMs: number
  isRevoked: boolean
}

export interface App {
  clientId: string
  isUsed: boolean
  /** Whether it gets balance.changed. */
  watches: boolean
  hasConflicts: boolean
  /** What happened and has no number yet. */
  pending: Happened[]
  events: Event[]
  /** By name; the newest last. */
  secrets: Map<string, Secret[]>
  webhooks: Webhook[]
  grants: Grant[]
  /** Calls that count toward the limit. */
  managed: number
}

export interface Happened {
  type: EventType
  data: Record<string, unknown>
  at: Span
  /** The order of events with the same cause is not promised. */
  cause: number
}

export interface Event extends Happened {
  sequence: number
  numberedAt: Span
  isKept: boolean
  /** As the feed showed it first. */
  shown?: { id: string; createdAt: string; cursor: string }
}

/** A URL that needs a second operator. */
export interface Grant {
  url: string
  proposer: number
  state: 'open' | 'approved' | 'used'
  approvedMs: number
}

export interface Settings {
  url: string
  types: EventType[] | null
  description: string
}

export interface Webhook extends Settings {
  id: string
  app: App
  secret: string
  oldSecret: { secret: string; until: Span } | undefined
  createdAt: Span
  /** The secret of the app that created or last changed it; undefined: an operator. */
  owner: Secret | undefined
  disabled: { at: Span; reason: 'switched_off' | 'gone' | 'failing' | 'secret_ended' } | undefined
  failingSince: Span | undefined
  isDeleted: boolean
  deliveries: Map<Event, Delivery>
  /** While it fails: after the last attempt it rests. */
  attemptedMs: number
  /** When it last got something to send. */
  queuedMs: number
  wasResent: boolean
}

export interface Delivery {
  event: Event
  queuedAt: Span
  next: Span | undefined
  isDelivered: boolean
  failures: number
  attempts: { at: Span; answer: AnswerName }[]
}

export type Actor =
  { secret: Secret | undefined } | { operator: number; role: 'operator' | 'viewer' }
/** undefined: it succeeds. */
export type Refusal = { code: ErrorCode; field?: string } | undefined

export interface Person {
  name: number
  isFrozen: boolean
  /** The service user id in each app to which the person is linked now. */
  links: Map<App, string>
  /** In minor units. */
  balance: number
  /** The linked apps that will learn that it changed. */
  changedFor: Set<App>
}

export interface Hold {
  app: App
  person: Person
  referenceId: string
  /** What is left, in minor units. */
  amount: number
  expiresMs: number
}

let causes = 0
export const isOwner = (actor: Actor): actor is { secret: Secret | undefined } => 'secret' in actor

export function happen(app: App, at: Span, ...events: Pick<Happened, 'type' | 'data'>[]) {
  causes++
  app.pending.push(...events.map((each) => ({ ...each, at, cause: causes })))
}

/** `app`: whose operation it is; undefined: nobody's. An app learns nothing about what it did itself. */
export function changeBalance(person: Person, app: App | undefined, minor: number) {
  if (minor === 0) return
  person.balance += minor
  for (const each of person.links.keys()) {
    if (each.watches && each !== app) person.changedFor.add(each)
  }
}

/** One event for all changes until now, with the balance of this moment. */
export function reportBalances(app: App, people: readonly Person[], at: Span) {
  const changed = people.filter(({ changedFor }) => changedFor.delete(app))
  const events = changed.map(({ links, balance }) => {
    const data = { serviceUserId: links.get(app), balance: balance / 100, currency: 'USD' }
    return { type: 'balance.changed' as const, data }
  })
  if (events.length > 0) happen(app, at, ...events)
}

/** Gives the events their numbers, in the order that the service chose for those with the same cause. */
export function numberEvent(app: App, happened: Happened, at: Span) {
  app.pending.splice(app.pending.indexOf(happened), 1)
  const sequence = app.events.length + 1
  const event: Event = { ...happened, sequence, numberedAt: at, isKept: true }
  app.events.push(event)
  for (const webhook of app.webhooks) {
    if (webhook.isDeleted || webhook.disabled || !wants(webhook, event)) continue
    queue(webhook, event, at)
  }
  return event
}

const wants = ({ types }: Webhook, { type }: Event) => types === null || types.includes(type)

function queue(webhook: Webhook, event: Event, at: Span) {
  const attempts = webhook.deliveries.get(event)?.attempts ?? []
  const again = { event, queuedAt: { ...at }, next: { ...at }, isDelivered: false, failures: 0 }
  webhook.deliveries.set(event, { ...again, attempts })
  webhook.queuedMs = at.toMs
}

/** What refuses every call that manages webhooks, before the webhook is looked up. */
export function refuseActor(app: App, actor: Actor, nowMs: number): Refusal {
  if (!isOwner(actor)) return actor.role === 'viewer' ? { code: 'OPERATOR_FORBIDDEN' } : undefined
  app.isUsed ||= actor.secret === undefined || isLive(actor.secret, nowMs)
  if (actor.secret === undefined) return { code: 'SECRET_RESTRICTED' }
  return isLive(actor.secret, nowMs) ? undefined : { code: 'INVALID_CLIENT' }
}

/** Refuses a change or test after too many of them. */
export function refuseManaging(app: App, actor: Actor, nowMs: number): Refusal {
  const refusal = refuseActor(app, actor, nowMs)
  if (refusal || !isOwner(actor)) return refusal
  if (app.managed >= MANAGED_MAX) return { code: 'RATE_LIMITED' }
  app.managed++
  return undefined
}

const isLive = ({ endsMs, isRevoked }: Secret, nowMs: number) => !isRevoked && endsMs > nowMs

export function refuseWebhook(
  app: App,
  webhook: Webhook | undefined,
  evenDeleted = false,
): Refusal {
  const isFound = webhook?.app === app && (evenDeleted || !webhook.isDeleted)
  return isFound ? undefined : { code: 'NOT_FOUND' }
}

export const webhooksOf = (app: App) => app.webhooks.filter(({ isDeleted }) => !isDeleted)

export const refuseRoom = (app: App): Refusal =>
  webhooksOf(app).length < WEBHOOKS_MAX ? undefined : { code: 'WEBHOOK_LIMIT' }

export const refuseUrl = (url: string): Refusal =>
  url.startsWith('http://127.0.0.1:') ? undefined : { code: 'INVALID_REQUEST', field: 'url' }

/** Whether an operator's new URL has to wait. An approval is used once, by its proposer, within a day. */
export function waitsForSecond(app: App, actor: Actor, url: string, nowMs: number): boolean {
  if (isOwner(actor) || !app.isUsed) return false
  const mine = app.grants.filter((each) => each.proposer === actor.operator && each.url === url)
  const approved = mine
    .filter(({ state, approvedMs }) => state === 'approved' && nowMs < approvedMs + DAY)
    .toSorted((a, b) => b.approvedMs - a.approvedMs)[0]
  if (approved) approved.state = 'used'
  else if (!mine.some(({ state }) => state === 'open')) {
    app.grants.push({ url, proposer: actor.operator, state: 'open', approvedMs: 0 })
  }
  return approved === undefined
}

export function approve(grant: Grant, operator: number, nowMs: number): Refusal {
  if (grant.proposer === operator) return { code: 'SECOND_OPERATOR_REQUIRED' }
  Object.assign(grant, { state: 'approved', approvedMs: nowMs })
  return undefined
}

export function addWebhook(
  app: App,
  actor: Actor,
  settings: Settings,
  made: { id: string; secret: string; at: Span },
) {
  app.webhooks.push({
    ...settings,
    id: made.id,
    app,
    secret: made.secret,
    oldSecret: undefined,
    createdAt: { ...made.at },
    owner: ownerOf(actor),
    disabled: undefined,
    failingSince: undefined,
    isDeleted: false,
    deliveries: new Map(),
    attemptedMs: -Infinity,
    queuedMs: -Infinity,
    wasResent: false,
  })
}

const ownerOf = (actor: Actor) => (isOwner(actor) ? actor.secret : undefined)

export function changeWebhook(
  webhook: Webhook,
  actor: Actor,
  { isEnabled, ...settings }: Settings & { isEnabled: boolean },
  at: Span,
) {
  Object.assign(webhook, settings, { owner: ownerOf(actor) })
  if (!isEnabled) webhook.disabled ??= { at: { ...at }, reason: 'switched_off' }
  else if (webhook.disabled)
    Object.assign(webhook, { disabled: undefined, failingSince: undefined })
}

export function rotate(
  webhook: Webhook,
  actor: Actor,
  { secret, overlap, at }: { secret: string; overlap: Overlap; at: Span },
) {
  const ms = OVERLAP_MS[overlap]
  const until = { fromMs: at.fromMs + ms, toMs: at.toMs + ms }
  webhook.oldSecret = ms === 0 ? undefined : { secret: webhook.secret, until }
  Object.assign(webhook, { secret, owner: ownerOf(actor) })
}

/** All secrets that sign at this time. */
export function signingSecrets({ secret, oldSecret }: Webhook, nowMs: number): string[] {
  return oldSecret && nowMs < oldSecret.until.fromMs ? [secret, oldSecret.secret] : [secret]
}

/** Sends one event again. Returns whether the webhook has it. */
export function resendOne(webhook: Webhook, event: Event | undefined, at: Span): boolean {
  if (event === undefined || !webhook.deliveries.has(event)) return false
  queue(webhook, event, at)
  webhook.wasResent = true
  return true
}

/** Returns how many events are sent again. */
export function resendSince(webhook: Webhook, sinceMs: number, at: Span): number {
  const chosen = webhook.app.events.filter(
    (each) => each.isKept && each.numberedAt.fromMs >= sinceMs && wants(webhook, each),
  )
  for (const event of chosen) queue(webhook, event, at)
  webhook.wasResent = true
  return chosen.length
}

/** A new secret with this name. Without an overlap, all webhooks of the old ones are disabled. */
export function rotateSecret(app: App, name: string, value: string, overlap: Overlap, at: Span) {
  const known = (app.secrets.get(name) ?? []).filter((each) => isLive(each, at.fromMs))
  const disabled = overlap === 'none' ? known.flatMap((each) => endSecret(app, each, at)) : []
  for (const [index, secret] of known.entries()) {
    const isNewest = index === known.length - 1
    secret.endsMs = isNewest ? at.fromMs + OVERLAP_MS[overlap] : at.fromMs
  }
  const secret = { value, name, endsMs: Infinity, isRevoked: false }
  app.secrets.set(name, [...(app.secrets.get(name) ?? []), secret])
  const rotated = { type: 'client_app.secret_rotated', data: { change: 'rotated' } } as const
  happen(app, at, ...disabled, rotated)
}

export function revokeSecret(app: App, secret: Secret, at: Span) {
  const revoked = { type: 'client_app.secret_rotated', data: { change: 'revoked' } } as const
  happen(app, at, ...endSecret(app, secret, at), revoked)
}

function endSecret(app: App, secret: Secret, at: Span) {
  secret.isRevoked = true
  const own = webhooksOf(app).filter(({ owner, disabled }) => owner === secret && !disabled)
  return own.map((webhook) => disable(webhook, 'secret_ended', at))
}

function disable(webhook: Webhook, reason: 'gone' | 'failing' | 'secret_ended', at: Span) {
  webhook.disabled = { at: { ...at }, reason }
  return { type: 'webhook.disabled', data: { webhookId: webhook.id, reason } } as const
}

/** What a round has to send, first what is due first. */
export function listDue(webhook: Webhook, nowMs: number): Event[] {
  if (webhook.isDeleted || webhook.disabled) return []
  const due = [...webhook.deliveries.values()].filter(
    ({ next, event }) => next && next.fromMs <= nowMs && event.isKept,
  )
  const order = (a: Delivery, b: Delivery) =>
    (a.next?.fromMs ?? 0) - (b.next?.fromMs ?? 0) || a.event.sequence - b.event.sequence
  const most = webhook.failingSince ? 1 : AT_ONCE
  return due
    .toSorted(order)
    .slice(0, most)
    .map(({ event }) => event)
}

/** Whether a round at this time must, may or must not send what is due: one that fails rests after each attempt. */
export function mustSend(webhook: Webhook, { fromMs, toMs }: Span): boolean | 'maybe' {
  const { attemptedMs, queuedMs, failingSince, wasResent } = webhook
  if (failingSince === undefined) return true
  if (fromMs >= Math.max(attemptedMs, queuedMs) + REST_MS) return true
  return toMs < attemptedMs + REST_MS && !wasResent ? false : 'maybe'
}

/** Records what a round sent to one webhook and what the receiver answered. Returns what happens because of it. */
export function record(
  webhook: Webhook,
  sent: readonly { event: Event; answer: AnswerName }[],
  at: Span,
) {
  for (const { event, answer } of sent) recordAttempt(webhook, event, answer, at)
  webhook.attemptedMs = at.toMs
  webhook.wasResent = false
  if (sent.some(({ answer }) => ANSWERS[answer].isSuccess)) webhook.failingSince = undefined
  else webhook.failingSince ??= { ...at }
  if (sent.every(({ answer }) => ANSWERS[answer].isSuccess)) return []
  const isGone = sent.some(({ answer }) => answer === 'gone')
  const isLost = webhook.failingSince && at.fromMs > webhook.failingSince.toMs + FAILING_MS
  return isGone || isLost ? [disable(webhook, isGone ? 'gone' : 'failing', at)] : []
}

function recordAttempt(webhook: Webhook, event: Event, answer: AnswerName, at: Span) {
  const delivery = webhook.deliveries.get(event)
  if (delivery === undefined) throw new Error('The webhook has no such delivery.')
  const { isSuccess, retryAfterSeconds = 0 } = ANSWERS[answer]
  delivery.attempts = [...delivery.attempts, { at: { ...at }, answer }].slice(-ATTEMPTS_KEPT)
  delivery.isDelivered = isSuccess
  delivery.next = undefined
  if (isSuccess) return
  const ms = RETRY_MS[delivery.failures++]
  if (ms === undefined) return
  const least = retryAfterSeconds * SECOND
  const next = {
    fromMs: at.fromMs + Math.max(ms, least),
    toMs: at.toMs + Math.max(ms * JITTER, least),
  }
  delivery.next = next
}

/** What the hourly maintenance deletes. */
export function deleteOld(app: App, nowMs: number) {
  const today = Math.floor(nowMs / DAY)
  for (const event of app.events) {
    if (Math.floor(event.numberedAt.fromMs / DAY) <= today - EVENT_KEPT_DAYS + weekday(event)) {
      event.isKept = false
    }
  }
  for (const { deliveries } of app.webhooks) {
    for (const [event, { queuedAt }] of deliveries) {
      if (queuedAt.toMs < nowMs - DELIVERIES_KEPT_MS) deliveries.delete(event)
    }
  }
}

/** How many days of its week have passed: 0 on a Monday, of UTC. */
function weekday({ numberedAt }: Event): number {
  return (new Date(numberedAt.fromMs).getUTCDay() + 6) % 7
}
