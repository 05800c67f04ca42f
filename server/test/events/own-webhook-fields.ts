/** Valid fields of the endpoints by which an app manages its webhooks. */
import type { WEBHOOK_ENDPOINTS } from '@coffer/contract/server/webhooks'
import type { Fields } from '../setup.ts'
import { IDLE_SETTINGS } from './webhook-setup.ts'

/** Of a webhook that gets no event unless one is disabled. */
const settings = { ...IDLE_SETTINGS, types: ['webhook.disabled'] }

export function ownWebhookFields(
  webhookId: string,
): Record<keyof typeof WEBHOOK_ENDPOINTS, Fields> {
  return {
    listOwnWebhooks: {},
    createOwnWebhook: settings,
    changeOwnWebhook: { webhookId, ...settings, isEnabled: false },
    rotateOwnWebhookSecret: { webhookId, overlap: '1h' },
    testOwnWebhook: { webhookId },
    listOwnDeliveries: { webhookId },
    resendOwnEvents: { webhookId, since: '2026-01-01T00:00:00Z' },
    // The last one: the webhook does not exist any more.
    deleteOwnWebhook: { webhookId },
  }
}
