/** The calls that manage the webhooks of an app. They need a secret with the scope webhooks:manage. */
import type { Connection } from '../check-options.ts'
import { send } from '../send.ts'
import type * as types from './manage-types.ts'

const PATH = '/api/server/webhooks'

export interface WebhookCalls {
  /** All webhooks of your app, oldest first. */
  list(): Promise<types.Webhook[]>
  /** Is not retried automatically: if the response is lost, list the webhooks and delete the one without a known secret. */
  create(input: types.WebhookInput): Promise<types.NewWebhook>
  /** Sets all fields. */
  change(input: types.WebhookChange): Promise<void>
  /** Returns a new secret. Is not retried automatically: if the response is lost, rotate again. */
  rotate(input: types.WebhookRotation): Promise<{ secret: string }>
  /** Sends a ping now, and returns what your server responded. */
  test(input: { webhookId: string }): Promise<types.DeliveryAttempt>
  /** Newest events first. Requests the next page when the loop needs it. */
  deliveries(input: types.DeliveriesInput): AsyncIterable<types.Delivery>
  resend(input: types.ResendInput): Promise<types.ResendResult>
  /** Safe to repeat. */
  delete(input: { webhookId: string }): Promise<void>
}

export function createWebhookCalls(connection: Connection): WebhookCalls {
  /** Is not retried, because a lost response may mean that the call was executed. */
  const once = { ...connection, retries: 0 }
  return {
    async list() {
      const call = { method: 'GET', path: PATH, fields: {}, requiredField: 'webhooks' } as const
      const { webhooks } = await send<{ webhooks: types.Webhook[] }>(connection, call)
      return webhooks
    },
    async create({ url, types, description }) {
      const fields = { url, types, description }
      return send(once, { method: 'POST', path: PATH, fields, requiredField: 'secret' })
    },
    async change({ webhookId, url, types, description, isEnabled }) {
      const fields = { webhookId, url, types, description, isEnabled }
      const call = { method: 'POST', path: `${PATH}/change`, fields } as const
      await send(connection, { ...call, requiredField: 'webhookId' })
    },
    async rotate({ webhookId, overlap }) {
      const fields = { webhookId, overlap }
      return send(once, { method: 'POST', path: `${PATH}/rotate`, fields, requiredField: 'secret' })
    },
    async test({ webhookId }) {
      const call = { method: 'POST', path: `${PATH}/test`, fields: { webhookId } } as const
      return send(once, { ...call, requiredField: 'durationMs' })
    },
    deliveries: (input) => listDeliveries(connection, input),
    async resend({ webhookId, eventId, since }) {
      const fields = { webhookId, eventId, since }
      const call = { method: 'POST', path: `${PATH}/resend`, fields } as const
      return send(connection, { ...call, requiredField: 'queued' })
    },
    async delete({ webhookId }) {
      const call = { method: 'POST', path: `${PATH}/delete`, fields: { webhookId } } as const
      await send(connection, { ...call, requiredField: 'webhookId' })
    },
  }
}

async function* listDeliveries(
  connection: Connection,
  { webhookId, state }: types.DeliveriesInput,
): AsyncGenerator<types.Delivery> {
  let cursor: string | null = null
  do {
    const fields = { webhookId, state, cursor: cursor ?? undefined }
    const call = {
      method: 'GET',
      path: `${PATH}/deliveries`,
      fields,
      requiredField: 'deliveries',
    } as const
    const page: { deliveries: types.Delivery[]; nextCursor: string | null } = await send(
      connection,
      call,
    )
    yield* page.deliveries
    cursor = page.nextCursor
  } while (cursor !== null)
}
