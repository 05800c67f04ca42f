/** Client apps: what an operator may change alone, and what waits once the app is in use. */
import { addGrant, findApproval, leftFor, propose } from './decide.ts'
import { split, takenBy } from './settings.ts'
import {
  approversFor,
  at,
  DONE,
  HOUR_MS,
  record,
  refuse,
  toText,
  type Answer,
  type App,
  type Overlap,
  type Settings,
  type State,
} from './model.ts'

const OVERLAP_MS: Readonly<Record<Overlap, number>> = {
  none: 0,
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
}

/** null: the text is not an amount. */
export type LimitInput = number | null | 'unlimited'

export function registerApp(
  state: State,
  who: number,
  settings: Settings,
  limit: LimitInput,
): Answer {
  if (limit === null) return refuse('INVALID_AMOUNT')
  if (takenBy(state, null, settings.allowedIframeParents)) return refuse('ORIGIN_TAKEN')
  const to = limit === 'unlimited' ? null : limit
  const isWaiting = to === null || (to > 0 && to > leftFor(state, who))
  const appAt = state.apps.length
  const fresh = { isActive: true, isInUse: false, pause: null, webhooks: [] }
  const secrets = [{ id: '', endsMs: null }]
  state.apps.push({ clientId: '', settings, creditLimit: 0, secrets, ...fresh })
  record(state, who, 'client_app.create', '', {
    after: { creditLimit: toText(isWaiting ? 0 : to) },
  })
  const reason = 'Registration of the client app'
  if (to !== 0) raiseLimit(state, who, appAt, to, reason, isWaiting)
  const made = { clientId: /^app_[0-9a-f]{24}$/, clientSecret: /^coffer_sk_/ }
  const approvers = isWaiting ? approversFor(state, who) : []
  return { body: { ...made, creditLimitWaits: isWaiting, approvers } }
}

/** A limit that one operator may raise takes effect now; it counts like a bonus. */
function raiseLimit(
  state: State,
  who: number,
  appAt: number,
  to: number | null,
  reason: string,
  isWaiting: boolean,
) {
  const app = at(state.apps, appAt)
  const amount = to === null ? null : to - (app.creditLimit ?? 0)
  if (isWaiting) return propose(state, who, appAt, { creditLimit: to, amount }, reason)
  const common = { kind: 'credit_limit', reason, proposer: who, needsSecond: false } as const
  addGrant(state, { ...common, app: appAt, creditLimit: to, amount, status: 'posted' })
  app.creditLimit = to
}

export function changeApp(
  state: State,
  who: number,
  appAt: number,
  wanted: Settings,
  limit: number | null | undefined,
): Answer {
  const app = at(state.apps, appAt)
  if (limit === null) return refuse('INVALID_AMOUNT')
  if (app.isActive && takenBy(state, appAt, wanted.allowedIframeParents))
    return refuse('ORIGIN_TAKEN')
  if (limit !== undefined && app.creditLimit === null)
    return refuse('INVALID_REQUEST', 'creditLimit')
  const { now, later } = app.isInUse ? split(app.settings, wanted) : { now: wanted, later: {} }
  app.settings = now
  record(state, who, 'client_app.change', app.clientId)
  const changesWait = Object.keys(later).length > 0
  if (changesWait) propose(state, who, appAt, { change: later }, 'Change of the client app')
  const creditLimitWaits = limit !== undefined && changeLimit(state, who, appAt, limit)
  const approvers = changesWait || creditLimitWaits ? approversFor(state, who) : []
  return { body: { creditLimitWaits, changesWait, approvers } }
}

/** Lowering never waits. Returns whether the limit waits. */
function changeLimit(state: State, who: number, appAt: number, to: number): boolean {
  const app = at(state.apps, appAt)
  const from = app.creditLimit ?? 0
  if (to === from) return false
  const isWaiting = to > from && to - from > leftFor(state, who)
  if (!isWaiting) {
    const before = { creditLimit: toText(from) }
    const after = { creditLimit: toText(to) }
    record(state, who, 'client_app.credit_limit', app.clientId, { before, after })
  }
  if (to > from) raiseLimit(state, who, appAt, to, 'Change of the credit limit', isWaiting)
  else app.creditLimit = to
  return isWaiting
}

export function activateApp(state: State, who: number, appAt: number, isActive: boolean): Answer {
  const app = at(state.apps, appAt)
  const isActivated = isActive && !app.isActive
  if (isActivated && takenBy(state, appAt, app.settings.allowedIframeParents))
    return refuse('ORIGIN_TAKEN')
  const facts = { before: { isActive: app.isActive }, after: { isActive } }
  app.isActive = isActive
  record(state, who, 'client_app.activate', app.clientId, facts)
  return DONE
}

// Secrets

export function liveSecrets({ nowMs }: State, { secrets }: App): App['secrets'] {
  return secrets.filter(({ endsMs }) => endsMs === null || endsMs > nowMs)
}

/** Once the app is in use, the proposer sees the secret after the approval, with the overlap that was approved. */
export function rotateSecret(state: State, who: number, appAt: number, overlap: Overlap): Answer {
  const app = at(state.apps, appAt)
  const approval = findApproval(state, who, appAt, ({ rotation }) => rotation !== undefined)
  if (app.isInUse && approval === undefined) {
    propose(state, who, appAt, { change: { rotation: overlap } }, 'Rotation of the secret')
    return { body: { clientSecret: null, approvers: approversFor(state, who) } }
  }
  const used = (app.isInUse ? approval?.change?.rotation : undefined) ?? overlap
  if (app.isInUse && approval !== undefined) approval.isUsed = true
  const newest = liveSecrets(state, app).at(-1)
  const endsMs = state.nowMs + OVERLAP_MS[used]
  const isKept = newest !== undefined && used !== 'none'
  const kept = isKept ? [{ ...newest, endsMs: Math.min(newest.endsMs ?? endsMs, endsMs) }] : []
  app.secrets = [...kept, { id: '', endsMs: null }]
  record(state, who, 'client_app.rotate', app.clientId, { after: { overlap: used } })
  return { body: { clientSecret: /^coffer_sk_/, approvers: [] } }
}

export function revokeSecret(state: State, who: number, appAt: number, secretId: string): Answer {
  const app = at(state.apps, appAt)
  if (!liveSecrets(state, app).some(({ id }) => id === secretId)) return refuse('NOT_FOUND')
  app.secrets = app.secrets.filter(({ id }) => id !== secretId)
  record(state, who, 'client_app.revoke', app.clientId)
  return DONE
}

// Webhooks

/** The approval that allows the URL; 'waits' if it needs one and there is none. */
function allowUrl(state: State, who: number, appAt: number, url: string): 'allowed' | 'waits' {
  if (!at(state.apps, appAt).isInUse) return 'allowed'
  const approval = findApproval(state, who, appAt, ({ webhookUrl }) => webhookUrl === url)
  if (approval !== undefined) {
    approval.isUsed = true
    return 'allowed'
  }
  propose(state, who, appAt, { change: { webhookUrl: url } }, 'New URL of a webhook')
  return 'waits'
}

const WEBHOOKS_MAX = 10

export function createWebhook(state: State, who: number, appAt: number, url: string): Answer {
  const app = at(state.apps, appAt)
  if (app.webhooks.length >= WEBHOOKS_MAX) return refuse('WEBHOOK_LIMIT')
  if (allowUrl(state, who, appAt, url) === 'waits')
    return { body: { webhookId: null, secret: null, approvers: approversFor(state, who) } }
  app.webhooks.push({ id: '', url, isEnabled: true })
  record(state, who, 'webhook.create', app.clientId)
  return { body: { webhookId: /^wh_[0-9a-f]{32}$/, secret: /^whsec_/, approvers: [] } }
}

/** Only a new URL waits, and then nothing changes. */
export function changeWebhook(
  state: State,
  who: number,
  appAt: number,
  webhookAt: number,
  { url, isEnabled }: { url: string; isEnabled: boolean },
): Answer {
  const app = at(state.apps, appAt)
  const webhook = at(app.webhooks, webhookAt)
  if (url !== webhook.url && allowUrl(state, who, appAt, url) === 'waits')
    return { body: { changeWaits: true, approvers: approversFor(state, who) } }
  Object.assign(webhook, { url, isEnabled })
  record(state, who, 'webhook.change', app.clientId)
  return { body: { changeWaits: false, approvers: [] } }
}

export function deleteWebhook(state: State, who: number, appAt: number, webhookAt: number): Answer {
  const app = at(state.apps, appAt)
  app.webhooks.splice(webhookAt, 1)
  record(state, who, 'webhook.delete', app.clientId)
  return DONE
}
