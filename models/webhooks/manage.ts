/** Webhooks, managed by apps and by operators. */
import { approveGrant, listGrants } from '@coffer/contract/admin/grants'
import * as adminEndpoints from '@coffer/contract/admin/webhooks'
import type { Endpoint } from '@coffer/contract/endpoint'
import { WEBHOOKS_MAX } from '@coffer/contract/limits'
import * as ownEndpoints from '@coffer/contract/server/webhooks'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import { askAs } from '../../server/test/admin-setup.ts'
import type { Fields } from '../../server/test/setup.ts'
import { ANSWERS } from './answers.ts'
import type { CreateChoice, OfWebhook, SettingsChoice } from './commands.ts'
import * as compare from './compare.ts'
import * as rules from './model.ts'
import { checkRequest, isSignedWith } from './receivers.ts'
import { UNKNOWN_ID, type Run } from './run.ts'

const IDLE = { types: ['webhook.disabled' as const], description: 'idle' }

export function createAs(run: Run, { app: index, actor, settings }: CreateChoice) {
  const app = run.app(index)
  return create(run, app, run.actor(app, actor), run.settings(settings))
}

async function create(run: Run, app: rules.App, actor: rules.Actor, settings: rules.Settings) {
  const of = [ownEndpoints.createOwnWebhook, adminEndpoints.createWebhook] as const
  const now = Date.now()
  const refusal =
    rules.refuseManaging(app, actor, now) ?? rules.refuseUrl(settings.url) ?? rules.refuseRoom(app)
  const waits = !refusal && (await needsSecond(run, app, actor, settings.url))
  const { response, at } = await run.send(app, actor, of, { ...settings })
  const body = run.judge(response, { actor, of, refusal })
  if (body === undefined) return
  const { webhookId: id, secret } = body
  if ('approvers' in body) checkApprovers(run, actor, waits, body.approvers)
  assert.equal(id === null, waits, 'it waits for a second operator')
  if (id === null || secret === null) return
  assert.match(id, /^wh_[0-9a-f]{32}$/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  rules.addWebhook(app, actor, settings, { id, secret, at })
}

/** What uses an app is written once a minute. */
async function needsSecond(
  run: Run,
  app: rules.App,
  actor: rules.Actor,
  url: string,
): Promise<boolean> {
  if (rules.isOwner(actor)) return false
  await run.setup.harness.context.appActivity.write()
  const waits = rules.waitsForSecond(app, actor, url, Date.now())
  run.hit(waits ? 'a new URL waits' : app.isUsed ? 'a new URL was approved' : 'a new app')
  return waits
}

/** The other operator can approve it. */
function checkApprovers(
  run: Run,
  proposer: rules.Actor,
  waits: boolean,
  approvers: readonly string[],
) {
  const isOther = (index: number) => rules.isOwner(proposer) || index !== proposer.operator
  const others = run.setup.operators.filter((_, index) => isOther(index))
  assert.deepEqual(approvers, waits ? others.map(({ email }) => email) : [])
}

export async function changeWebhook(
  run: Run,
  app: rules.App,
  command: OfWebhook & { settings: SettingsChoice; keepsUrl: boolean; isEnabled: boolean },
) {
  const of = [ownEndpoints.changeOwnWebhook, adminEndpoints.changeWebhook] as const
  const actor = run.actor(app, command.actor)
  const webhook = run.webhook(app, command)
  const choice = run.settings(command.settings)
  const settings = { ...choice, url: command.keepsUrl && webhook ? webhook.url : choice.url }
  const { isEnabled } = command
  const refusal =
    rules.refuseManaging(app, actor, Date.now()) ??
    rules.refuseUrl(settings.url) ??
    rules.refuseWebhook(app, webhook)
  const isMoved = settings.url !== webhook?.url
  const waits = !refusal && isMoved && (await needsSecond(run, app, actor, settings.url))
  const fields = { webhookId: webhook?.id ?? UNKNOWN_ID, ...settings, isEnabled }
  const { response, at } = await run.send(app, actor, of, fields)
  const body = run.judge(response, { actor, of, refusal })
  if (body === undefined || webhook === undefined) return
  if ('approvers' in body) {
    assert.equal(body.changeWaits, waits)
    checkApprovers(run, actor, waits, body.approvers)
  } else assert.deepEqual(body, { webhookId: webhook.id })
  if (waits) return
  if (isEnabled && webhook.disabled) run.hit(`enabled after ${webhook.disabled.reason}`)
  rules.changeWebhook(webhook, actor, { ...settings, isEnabled }, at)
}

async function removeOnce(run: Run, app: rules.App, command: OfWebhook) {
  const of = [ownEndpoints.deleteOwnWebhook, adminEndpoints.deleteWebhook] as const
  const { actor, webhook, response, refusal } = await callAbout(run, app, command, of, {}, true)
  const body = run.judge(response, { actor, of, refusal })
  if (body === undefined || webhook === undefined) return
  assert.deepEqual(body, rules.isOwner(actor) ? { webhookId: webhook.id } : {})
  if (webhook.isDeleted) run.hit('deleted twice')
  webhook.isDeleted = true
}

export async function remove(
  run: Run,
  app: rules.App,
  command: OfWebhook & { isRepeated: boolean },
) {
  for (let times = 0; times < (command.isRepeated ? 2 : 1); times++) {
    await removeOnce(run, app, command)
  }
}

/** Switches a webhook on that was disabled. */
export async function enableAgain(run: Run, app: rules.App, command: OfWebhook) {
  const disabled = app.webhooks.filter((each) => each.disabled && !each.isDeleted)
  const chosen = disabled[command.webhook % Math.max(1, disabled.length)]
  if (chosen === undefined) return
  const webhook = app.webhooks.indexOf(chosen)
  const settings = { receiver: 0, types: chosen.types, description: chosen.description }
  const change = { ...command, webhook, isForeign: false, keepsUrl: true, isEnabled: true }
  await changeWebhook(run, app, { ...change, settings })
}

/** Sends a call about one webhook. */
async function callAbout(
  run: Run,
  app: rules.App,
  command: OfWebhook,
  of: readonly [Endpoint, Endpoint],
  more: Fields,
  evenDeleted = false,
) {
  const actor = run.actor(app, command.actor)
  const webhook = run.webhook(app, command)
  const refusal =
    rules.refuseManaging(app, actor, Date.now()) ?? rules.refuseWebhook(app, webhook, evenDeleted)
  const fields = { webhookId: webhook?.id ?? UNKNOWN_ID, ...more }
  return { actor, webhook, refusal, ...(await run.send(app, actor, of, fields)) }
}

export async function rotate(
  run: Run,
  app: rules.App,
  command: OfWebhook & { overlap: rules.Overlap },
) {
  const of = [ownEndpoints.rotateOwnWebhookSecret, adminEndpoints.rotateWebhookSecret] as const
  const { overlap } = command
  const { actor, webhook, response, refusal, at } = await callAbout(run, app, command, of, {
    overlap,
  })
  const body = run.judge(response, { actor, of, refusal })
  if (body === undefined || webhook === undefined) return
  assert.notEqual(body.secret, webhook.secret)
  rules.rotate(webhook, actor, { secret: body.secret, overlap, at })
}

export async function sendTest(run: Run, app: rules.App, command: OfWebhook) {
  const of = [ownEndpoints.testOwnWebhook, adminEndpoints.testWebhook] as const
  run.setup.receivers.take()
  const { actor, webhook, response, refusal, at } = await callAbout(run, app, command, of, {})
  const body = run.judge(response, { actor, of, refusal })
  const [ping, ...others] = run.setup.receivers.take()
  assert.equal(others.length, 0, 'one ping')
  assert.equal(ping !== undefined, body !== undefined, 'a ping arrived')
  if (!body || !webhook || !ping) return
  checkRequest(ping)
  assert(isSignedWith(ping, rules.signingSecrets(webhook, Date.now())), 'the ping is not signed')
  const { id, createdAt, ...rest } = JSON.parse(ping.received.body) as Record<string, string>
  assert.deepEqual([ping.url, rest], [webhook.url, { type: 'ping', data: {} }])
  assert.match(id ?? '', /^evt_[0-9a-f]{32}$/)
  compare.fix({ ...at }, createdAt ?? '', 'createdAt')
  compare.compareAttempt(body, ANSWERS[ping.answer], { ...at })
}

export async function resendEvents(
  run: Run,
  app: rules.App,
  command: OfWebhook & { by: 'event' | 'since' | 'both'; event: number },
) {
  const of = [ownEndpoints.resendOwnEvents, adminEndpoints.resendEvents] as const
  const event = app.events[command.event % Math.max(1, app.events.length)]
  const eventId = event?.shown?.id ?? `evt_${'0'.repeat(32)}`
  const sinceMs = event?.numberedAt.fromMs ?? 0
  const fields = {
    ...(command.by !== 'since' && { eventId }),
    ...(command.by !== 'event' && { since: new Date(sinceMs).toISOString() }),
  }
  const { actor, webhook, response, refusal, at } = await callAbout(run, app, command, of, fields)
  let queued = 0
  let refused = refusal
  if (refusal === undefined && webhook) {
    if (command.by === 'both') refused = { code: 'INVALID_REQUEST', field: 'eventId' }
    else if (command.by === 'since') queued = rules.resendSince(webhook, sinceMs, at)
    else if (rules.resendOne(webhook, event, at)) queued = 1
    else refused = { code: 'NOT_FOUND' }
  }
  const body = run.judge(response, { actor, of, refusal: refused })
  if (body) assert.deepEqual(body, { queued, nextSince: null })
  if (queued > 0) run.hit(`resent by ${command.by}`)
}

export async function approve(
  run: Run,
  app: rules.App,
  { grant: index, isOwn, uses }: { grant: number; isOwn: boolean; uses: boolean },
) {
  if (!app.grants.some(({ state }) => state === 'open')) await askForUrl(run, app)
  const { harness, operators } = run.setup
  const { grants } = await readGrants(run, app)
  const expected = app.grants.map(({ url, proposer, state }) => ({
    changes: [`Events are sent to a new URL: ${url}`],
    proposedBy: operators[proposer]?.email,
    status: state === 'open' ? 'open' : 'posted',
  }))
  const found = grants.map(({ changes, proposedBy, status }) => ({ changes, proposedBy, status }))
  assert.deepEqual(found.toReversed(), expected)
  // The newest first: older ones are often decided.
  const position = index % Math.max(1, app.grants.length)
  const grant = app.grants.at(-1 - position)
  const id = grants[position]?.id
  if (grant?.state !== 'open' || id === undefined) return
  const operator = isOwn ? grant.proposer : 1 - grant.proposer
  const who = operators[operator] ?? assert.fail('there are two operators')
  const response = await askAs({ harness }, who, approveGrant, { id })
  const refusal = rules.approve(grant, operator, Date.now())
  const actor = { operator, role: 'operator' } as const
  const body = run.judge(response, {
    actor,
    of: [approveGrant, approveGrant],
    refusal,
  })
  if (body) {
    assert.equal(body.status, 'posted')
    // A lost response can be asked for again.
    const again = await askAs({ harness }, who, approveGrant, { id })
    assert.equal(again.body, response.body)
  }
  if (!uses) return
  const proposer = { operator: grant.proposer, role: 'operator' } as const
  const settings = { url: grant.url, types: null, description: '' }
  // An approval is used once.
  for (let times = 0; times < 2; times++) await create(run, app, proposer, settings)
}

function askForUrl(run: Run, app: rules.App) {
  const settings = { url: run.urls[0] ?? '', types: null, description: '' }
  return create(run, app, { operator: 0, role: 'operator' }, settings)
}

async function readGrants(run: Run, app: rules.App) {
  const { harness, viewer } = run.setup
  const response = await askAs({ harness }, viewer, listGrants, { search: app.clientId })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<z.output<typeof listGrants.response>>()
}

/** Until there is no room, also for an operator. */
export async function fill(run: Run, app: rules.App) {
  const actor = run.actor(app, { of: 'app', name: 0, which: 'newest' })
  const settings = { ...IDLE, url: run.urls[0] ?? '' }
  for (let times = rules.webhooksOf(app).length; times <= WEBHOOKS_MAX; times++) {
    await create(run, app, actor, settings)
  }
  await create(run, app, { operator: 0, role: 'operator' }, settings)
}

/** Uses what is left of the changes and tests, and one more. */
export async function reachLimit(run: Run, app: rules.App) {
  const actor = run.actor(app, { of: 'app', name: 1, which: 'newest' })
  const endpoint = ownEndpoints.rotateOwnWebhookSecret
  const of = [endpoint, adminEndpoints.rotateWebhookSecret] as const
  if (rules.refuseActor(app, actor, Date.now())) return
  const fields = { webhookId: UNKNOWN_ID, overlap: 'none' }
  const count = rules.MANAGED_MAX - app.managed + 1
  const calls = Array.from({ length: count }, () => run.send(app, actor, of, fields))
  const sent = (await Promise.all(calls)).map(({ response }) => response)
  for (const response of sent.toSorted((a, b) => a.statusCode - b.statusCode)) {
    const refusal = rules.refuseManaging(app, actor, Date.now()) ?? { code: 'NOT_FOUND' }
    run.judge(response, { actor, of, refusal })
  }
}
