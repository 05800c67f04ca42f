import type { Webhook } from '@coffer/contract/server/webhook-shapes'
import type { StoredWebhook } from './queries.ts'

export function showWebhook(webhook: StoredWebhook): Webhook {
  const { disabledAt, disabledReason } = webhook
  return {
    id: showWebhookId(webhook.id),
    url: webhook.url,
    types: webhook.types,
    description: webhook.description,
    createdAt: webhook.createdAt.toISOString(),
    isOwn: webhook.isOwn,
    disabled: disabledAt && {
      at: disabledAt.toISOString(),
      reason: disabledReason as NonNullable<Webhook['disabled']>['reason'],
    },
    failingSince: webhook.failingSince?.toISOString() ?? null,
    waiting: webhook.waiting,
    oldSecretUntil: webhook.previousUntil?.toISOString() ?? null,
  }
}

export function showWebhookId(uuid: string): string {
  return `wh_${uuid.replaceAll('-', '')}`
}

/** The contract has checked its form. PostgreSQL accepts a UUID without hyphens. */
export function readUuid(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}
