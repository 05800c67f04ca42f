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
import type { CreateWish, OfWebhook, SettingsWish } from './commands.ts'
import * as compare from './compare.ts'
import * as rules from './model.ts'
import { checkRequest, isSignedWith } from './receivers.ts'
import { UNKNOWN_ID, type Scene } from './scene.ts'

const IDLE = { types: ['webhook.disabled' as const], description: 'idle' }

export function createAs(scene: Scene, { app: index, actor, settings }: CreateWish) {
  const app = scene.app(index)
  return create(scene, app, scene.actor(app, actor), scene.settings(settings))
}

async function create(scene: Scene, app: rules.App, actor: rules.Actor, settings: rules.Settings) {
  const of = [ownEndpoints.createOwnWebhook, adminEndpoints.createWebhook] as const
  const now = Date.now()
  const refusal =
    rules.refuseManaging(app, actor, now) ?? rules.refuseUrl(settings.url) ?? rules.refuseRoom(app)
  const waits = !refusal && (await needsSecond(scene, app, actor, settings.url))
  const { response, at } = await scene.send(app, actor, of, { ...settings })
  const body = scene.judge(response, { actor, of, refusal })
  if (body === undefined) return
  const { webhookId: id, secret } = body
  if ('approvers' in body) checkApprovers(scene, actor, waits, body.approvers)
  assert.equal(id === null, waits, 'it waits for a second operator')
  if (id === null || secret === null) return
  assert.match(id, /^wh_[0-9a-f]{32}$/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  rules.addWebhook(app, actor, settings, { id, secret, at })
}

/** What uses an app is written once a minute. */
async function needsSecond(
  scene: Scene,
  app: rules.App,
  actor: rules.Actor,
  url: string,
): Promise<boolean> {
  if (rules.isOwner(actor)) return false
  await scene.stage.harness.context.appActivity.write()
  const waits = rules.waitsForSecond(app, actor, url, Date.now())
  scene.hit(waits ? 'a new URL waits' : app.isUsed ? 'a new URL was approved' : 'a new app')
  return waits
}

/** The other operator can approve it. */
function checkApprovers(
  scene: Scene,
  proposer: rules.Actor,
  waits: boolean,
  approvers: readonly string[],
) {
  const isOther = (index: number) => rules.isOwner(proposer) || index !== proposer.operator
  const others = scene.stage.operators.filter((_, index) => isOther(index))
  assert.deepEqual(approvers, waits ? others.map(({ email }) => email) : [])
}

export async function changeWebhook(
  scene: Scene,
  app: rules.App,
  command: OfWebhook & { settings: SettingsWish; keepsUrl: boolean; isEnabled: boolean },
) {
  const of = [ownEndpoints.changeOwnWebhook, adminEndpoints.changeWebhook] as const
  const actor = scene.actor(app, command.actor)
  const webhook = scene.webhook(app, command)
  const wish = scene.settings(command.settings)
  const settings = { ...wish, url: command.keepsUrl && webhook ? webhook.url : wish.url }
  const { isEnabled } = command
  const refusal =
    rules.refuseManaging(app, actor, Date.now()) ??
    rules.refuseUrl(settings.url) ??
    rules.refuseWebhook(app, webhook)
  const isMoved = settings.url !== webhook?.url
  const waits = !refusal && isMoved && (await needsSecond(scene, app, actor, settings.url))
  const fields = { webhookId: webhook?.id ?? UNKNOWN_ID, ...settings, isEnabled }
  const { response, at } = await scene.send(app, actor, of, fields)
  const body = scene.judge(response, { actor, of, refusal })
  if (body === undefined || webhook === undefined) return
  if ('approvers' in body) {
    assert.equal(body.changeWaits, waits)
    checkApprovers(scene, actor, waits, body.approvers)
  } else assert.deepEqual(body, { webhookId: webhook.id })
  if (waits) return
  if (isEnabled && webhook.disabled) scene.hit(`enabled after ${webhook.disabled.reason}`)
  rules.changeWebhook(webhook, actor, { ...settings, isEnabled }, at)
}

async function removeOnce(scene: Scene, app: rules.App, command: OfWebhook) {
  const of = [ownEndpoints.deleteOwnWebhook, adminEndpoints.deleteWebhook] as const
  const { actor, webhook, response, refusal } = await callAbout(scene, app, command, of, {}, true)
  const body = scene.judge(response, { actor, of, refusal })
  if (body === undefined || webhook === undefined) return
  assert.deepEqual(body, rules.isOwner(actor) ? { webhookId: webhook.id } : {})
  if (webhook.isDeleted) scene.hit('deleted twice')
  webhook.isDeleted = true
}

export async function remove(
  scene: Scene,
  app: rules.App,
  command: OfWebhook & { isRepeated: boolean },
) {
  for (let times = 0; times < (command.isRepeated ? 2 : 1); times++) {
    await removeOnce(scene, app, command)
  }
}

/** Switches a webhook on that was disabled. */
export async function revive(scene: Scene, app: rules.App, command: OfWebhook) {
  const disabled = app.webhooks.filter((each) => each.disabled && !each.isDeleted)
  const chosen = disabled[command.webhook % Math.max(1, disabled.length)]
  if (chosen === undefined) return
  const webhook = app.webhooks.indexOf(chosen)
  const settings = { receiver: 0, types: chosen.types, description: chosen.description }
  const change = { ...command, webhook, isForeign: false, keepsUrl: true, isEnabled: true }
  await changeWebhook(scene, app, { ...change, settings })
}

/** Sends a call about one webhook. */
async function callAbout(
  scene: Scene,
  app: rules.App,
  command: OfWebhook,
  of: readonly [Endpoint, Endpoint],
  more: Fields,
  evenDeleted = false,
) {
  const actor = scene.actor(app, command.actor)
  const webhook = scene.webhook(app, command)
  const refusal =
    rules.refuseManaging(app, actor, Date.now()) ?? rules.refuseWebhook(app, webhook, evenDeleted)
  const fields = { webhookId: webhook?.id ?? UNKNOWN_ID, ...more }
  return { actor, webhook, refusal, ...(await scene.send(app, actor, of, fields)) }
}

export async function rotate(
  scene: Scene,
  app: rules.App,
  command: OfWebhook & { overlap: rules.Overlap },
) {
  const of = [ownEndpoints.rotateOwnWebhookSecret, adminEndpoints.rotateWebhookSecret] as const
  const { overlap } = command
  const { actor, webhook, response, refusal, at } = await callAbout(scene, app, command, of, {
    overlap,
  })
  const body = scene.judge(response, { actor, of, refusal })
  if (body === undefined || webhook === undefined) return
  assert.notEqual(body.secret, webhook.secret)
  rules.rotate(webhook, actor, { secret: body.secret, overlap, at })
}

export async function sendTest(scene: Scene, app: rules.App, command: OfWebhook) {
  const of = [ownEndpoints.testOwnWebhook, adminEndpoints.testWebhook] as const
  scene.stage.receivers.take()
  const { actor, webhook, response, refusal, at } = await callAbout(scene, app, command, of, {})
  const body = scene.judge(response, { actor, of, refusal })
  const [ping, ...others] = scene.stage.receivers.take()
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
  scene: Scene,
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
  const { actor, webhook, response, refusal, at } = await callAbout(scene, app, command, of, fields)
  let queued = 0
  let refused = refusal
  if (refusal === undefined && webhook) {
    if (command.by === 'both') refused = { code: 'INVALID_REQUEST', field: 'eventId' }
    else if (command.by === 'since') queued = rules.resendSince(webhook, sinceMs, at)
    else if (rules.resendOne(webhook, event, at)) queued = 1
    else refused = { code: 'NOT_FOUND' }
  }
  const body = scene.judge(response, { actor, of, refusal: refused })
  if (body) assert.deepEqual(body, { queued, nextSince: null })
  if (queued > 0) scene.hit(`resent by ${command.by}`)
}

export async function approve(
  scene: Scene,
  app: rules.App,
  { grant: index, isOwn, uses }: { grant: number; isOwn: boolean; uses: boolean },
) {
  if (!app.grants.some(({ state }) => state === 'open')) await askForUrl(scene, app)
  const { harness, operators } = scene.stage
  const { grants } = await readGrants(scene, app)
  const expected = app.grants.map(({ url, proposer, state }) => ({
    changes: [`Events are sent to a new URL: ${url}`],
    proposedBy: operators[proposer]?.email,
    status: state === 'open' ? 'open' : 'posted',
  }))
  const found = grants.map(({ changes, proposedBy, status }) => ({ changes, proposedBy, status }))
  assert.deepEqual(found.toReversed(), expected)
  // The newest first: older ones are often decided.
  const place = index % Math.max(1, app.grants.length)
  const grant = app.grants.at(-1 - place)
  const id = grants[place]?.id
  if (grant?.state !== 'open' || id === undefined) return
  const operator = isOwn ? grant.proposer : 1 - grant.proposer
  const who = operators[operator] ?? assert.fail('there are two operators')
  const response = await askAs({ harness }, who, approveGrant, { id })
  const refusal = rules.approve(grant, operator, Date.now())
  const actor = { operator, role: 'operator' } as const
  const body = scene.judge(response, {
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
  for (let times = 0; times < 2; times++) await create(scene, app, proposer, settings)
}

function askForUrl(scene: Scene, app: rules.App) {
  const settings = { url: scene.urls[0] ?? '', types: null, description: '' }
  return create(scene, app, { operator: 0, role: 'operator' }, settings)
}

async function readGrants(scene: Scene, app: rules.App) {
  const { harness, viewer } = scene.stage
  const response = await askAs({ harness }, viewer, listGrants, { search: app.clientId })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<z.output<typeof listGrants.response>>()
}

/** Until there is no room, also for an operator. */
export async function fill(scene: Scene, app: rules.App) {
  const actor = scene.actor(app, { of: 'app', name: 0, which: 'newest' })
  const settings = { ...IDLE, url: scene.urls[0] ?? '' }
  for (let times = rules.webhooksOf(app).length; times <= WEBHOOKS_MAX; times++) {
    await create(scene, app, actor, settings)
  }
  await create(scene, app, { operator: 0, role: 'operator' }, settings)
}

/** Uses what is left of the changes and tests, and one more. */
export async function burst(scene: Scene, app: rules.App) {
  const actor = scene.actor(app, { of: 'app', name: 1, which: 'newest' })
  const endpoint = ownEndpoints.rotateOwnWebhookSecret
  const of = [endpoint, adminEndpoints.rotateWebhookSecret] as const
  if (rules.refuseActor(app, actor, Date.now())) return
  const fields = { webhookId: UNKNOWN_ID, overlap: 'none' }
  const count = rules.MANAGED_MAX - app.managed + 1
  const calls = Array.from({ length: count }, () => scene.send(app, actor, of, fields))
  const sent = (await Promise.all(calls)).map(({ response }) => response)
  for (const response of sent.toSorted((a, b) => a.statusCode - b.statusCode)) {
    const refusal = rules.refuseManaging(app, actor, Date.now()) ?? { code: 'NOT_FOUND' }
    scene.judge(response, { actor, of, refusal })
  }
}
