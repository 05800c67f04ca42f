/** How the tests of webhooks work with the service. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWebhook, type Tools } from '../../events/webhooks/manage-webhooks.ts'
import { readUuid } from '../../events/webhooks/show-webhook.ts'
import { makeClientApp, type TestApp } from '../factories.ts'
import type { Harness } from '../harness.ts'
import { addToOutbox } from './feed-setup.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

export const WEBHOOK_ENV = { ALLOW_LOOPBACK_WEBHOOKS: 'true' }

/** A harness, or the tools of a browser test. */
export interface Service {
  context: Parameters<typeof makeClientApp>[0] & Tools
  admin: Harness['admin']
}

export interface TestWebhook {
  app: TestApp
  receiver: Receiver
  /** The UUID in the database. */
  id: string
  webhookId: string
  secret: string
}

export async function openWebhook(
  { context }: Pick<Service, 'context'>,
  options: { app?: TestApp; types?: string[]; url?: string } = {},
): Promise<TestWebhook> {
  const app = options.app ?? (await makeClientApp(context))
  const receiver = await openReceiver()
  const settings = {
    url: options.url ?? receiver.url,
    types: options.types ?? null,
    description: '',
  }
  const owner = { clientAppId: app.id, secretId: null }
  const made = await createWebhook(context, owner, settings, () => Promise.resolve())
  return { app, receiver, id: readUuid(made.webhookId), ...made }
}

export async function addEvents(
  { admin }: Pick<Service, 'admin'>,
  app: TestApp,
  count: number,
): Promise<void> {
  for (let index = 1; index <= count; index++) await addToOutbox(admin, app, `su_${index}`)
}

interface StoredState {
  failures: number
  isWaiting: boolean
  isDelivered: boolean
  waitsSeconds: number | null
  attempts: { status: number | null; error: string | null; response: string }[]
}

export async function readDeliveries(
  harness: Pick<Service, 'admin'>,
  { id }: TestWebhook,
): Promise<StoredState[]> {
  const { rows } = await harness.admin.query<StoredState>(
    `select failures::integer as failures, next_attempt_at is not null as "isWaiting", delivered_at is not null as "isDelivered",
       extract(epoch from next_attempt_at - now())::float8 as "waitsSeconds", attempts
     from events.deliveries where webhook_id = $1 order by sequence`,
    [id],
  )
  return rows
}

/** Waits until every delivery has an attempt and the attempts are recorded. */
export async function untilRecorded(
  harness: Pick<Service, 'admin'>,
  webhook: TestWebhook,
  attempts = 1,
) {
  for (let tries = 0; tries < 1200; tries++) {
    const found = await readDeliveries(harness, webhook)
    if (found.length > 0 && found.every((each) => each.attempts.length >= attempts)) return found
    await sleep(25)
  }
  return assert.fail('an attempt is not recorded')
}

/** Makes the next attempt of every waiting delivery due. */
export async function makeAttemptsDue(
  harness: Pick<Service, 'admin'>,
  { id }: TestWebhook,
): Promise<void> {
  await harness.admin.query(
    `update events.deliveries set next_attempt_at = now() where webhook_id = $1 and next_attempt_at is not null`,
    [id],
  )
  await harness.admin.query('update events.webhooks set due_at = now() where id = $1', [id])
}

/** A webhook that nothing is sent to: it is switched off and leads to an address that the service refuses. */
export async function makeIdleWebhook(
  { context, admin }: Service,
  app: Pick<TestApp, 'id' | 'clientId'>,
): Promise<{ clientId: string; webhookId: string }> {
  const creator = { clientAppId: app.id, secretId: null }
  const { webhookId } = await createWebhook(context, creator, IDLE_SETTINGS, () =>
    Promise.resolve(),
  )
  await admin.query(IDLE, [readUuid(webhookId)])
  return { clientId: app.clientId, webhookId }
}

const IDLE = `update events.webhooks
  set url = 'https://192.0.2.1/webhooks', disabled_at = now(), disabled_reason = 'switched_off' where id = $1`

export const IDLE_SETTINGS = {
  url: 'https://93.184.215.14/webhooks',
  types: null,
  description: 'Tests',
}
