/** What apps and operators see. */
import * as adminEndpoints from '@coffer/contract/admin/webhooks'
import { readEvents } from '@coffer/contract/server/events'
import type { Delivery, Webhook } from '@coffer/contract/server/webhook-shapes'
import * as ownEndpoints from '@coffer/contract/server/webhooks'
import assert from 'node:assert/strict'
import { call } from '../../server/test/setup.ts'
import type { OfWebhook } from './commands.ts'
import * as compare from './compare.ts'
import * as rules from './model.ts'
import { UNKNOWN_ID, type Run } from './run.ts'

type State = Delivery['state']

/** As operators see all webhooks of the app, and the deliveries of some. */
export async function lookAtWebhooks(
  run: Run,
  app: rules.App,
  deliveriesOf: readonly rules.Webhook[],
) {
  const read = run.operatorRead
  const { clientId } = app
  const list = await read<{ webhooks: Webhook[]; name: string }>(adminEndpoints.listWebhooks, {
    clientId,
  })
  assert.equal(list.name, run.knownOf(app).name)
  compare.compareWebhooks(app, list.webhooks)
  for (const webhook of deliveriesOf) {
    if (webhook.isDeleted) continue
    const shown = await compare.readDeliveries(read, webhook, 'operator', undefined)
    compare.compareDeliveries(webhook, shown, undefined)
  }
}

/** As an app with one of its secrets, or as an operator. */
export async function lookAround(
  run: Run,
  app: rules.App,
  command: OfWebhook & { state: State | null },
) {
  const actor = run.actor(app, command.actor)
  const list = [ownEndpoints.listOwnWebhooks, adminEndpoints.listWebhooks] as const
  const refusal = rules.isOwner(actor) ? rules.refuseActor(app, actor, Date.now()) : undefined
  const listed = await run.send(app, actor, list, {})
  const body = run.judge(listed.response, { actor, of: list, refusal })
  if (body) compare.compareWebhooks(app, body.webhooks)
  const webhook = run.webhook(app, command)
  const of = [ownEndpoints.listOwnDeliveries, adminEndpoints.listDeliveries] as const
  const state = command.state ?? undefined
  const fields = { webhookId: webhook?.id ?? UNKNOWN_ID, state }
  const missing = refusal ?? rules.refuseWebhook(app, webhook)
  const { response } = await run.send(app, actor, of, fields)
  const page = run.judge(response, { actor, of, refusal: missing })
  if (page === undefined || webhook === undefined) return
  const isOwn = rules.isOwner(actor)
  const read = isOwn ? run.appRead(app, actor.secret?.value ?? '') : run.operatorRead
  const all = await compare.readDeliveries(read, webhook, isOwn ? 'app' : 'operator', state)
  compare.compareDeliveries(webhook, all, state)
}

export async function lookAtAll(run: Run, app: rules.App) {
  await lookAtWebhooks(run, app, app.webhooks)
  await lookAtFeed(run, app, { limit: 100, types: null })
}

export async function lookAtFeed(
  run: Run,
  app: rules.App,
  { limit, types }: { limit: number; types: string[] | null },
) {
  app.isUsed = true
  const { test } = run.knownOf(app)
  const read = run.appRead(app, test.clientSecret)
  const { events: shown, end } = await compare.readFeed(read, { limit, types: types?.join(',') })
  const expected = app.events.filter(
    ({ isKept, type }) => isKept && (types?.includes(type) ?? true),
  )
  assert.deepEqual(
    shown.map(({ sequence }) => sequence),
    expected.map(({ sequence }) => sequence),
  )
  for (const [index, event] of expected.entries())
    compare.compareEvent(shown[index] ?? assert.fail(), event)
  // Otherwise a reader of few types searches the same events again and again, until its cursor expires.
  const newest = app.events.at(-1)
  if (newest) assert.equal(end, newest.shown?.cursor, 'the end of the feed')
  if (newest && newest !== expected.at(-1)) run.hit('a filtered feed ends with another type')
  if (app.events.some(({ isKept }) => !isKept)) run.hit('events were deleted')
}

/** A cursor works until events after it are deleted. */
export async function tryCursor(
  run: Run,
  app: rules.App,
  { from, event: index }: { from: 'event' | 'foreign' | 'junk'; event: number },
) {
  const owner = from === 'foreign' ? run.apps.find((each) => each !== app) : app
  const event = owner?.events[index % Math.max(1, owner.events.length)]
  const after = from === 'junk' ? 'evc_1' : event?.shown?.cursor
  if (after === undefined || event === undefined) return
  app.isUsed = true
  const harness = run.setup.harness
  const response = await call({ harness, app: run.knownOf(app).test }, readEvents, { after })
  const isGap = app.events.some(({ isKept, sequence }) => !isKept && sequence > event.sequence)
  const refusal: rules.Refusal =
    from === 'junk'
      ? { code: 'INVALID_REQUEST', field: 'after' }
      : from === 'foreign' || isGap
        ? { code: 'CURSOR_EXPIRED' }
        : undefined
  const actor = { secret: undefined }
  const page = run.judge(response, {
    actor,
    of: [readEvents, readEvents],
    refusal,
  })
  const rest = app.events.slice(event.sequence)
  assert.deepEqual(
    page?.events.map(({ sequence }) => sequence),
    page && rest.map(({ sequence }) => sequence),
  )
}
