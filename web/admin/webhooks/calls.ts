/** The part of calls.ts about webhooks. */
import type * as webhooks from '@coffer/contract/admin/webhooks'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type InputOf, type ResponseOf, type Result, SLOW_MS } from '../../ui/request.ts'

type Contract = typeof webhooks
type Method = <E extends Endpoint>(
  path: E['path'],
  deadlineMs?: number,
) => (input: InputOf<E>) => Promise<Result<ResponseOf<E>>>

export function createWebhookCalls({ get, post }: { get: Method; post: Method }) {
  return {
    listWebhooks: get<Contract['listWebhooks']>('/api/admin/webhooks'),
    createWebhook: post<Contract['createWebhook']>('/api/admin/webhooks'),
    changeWebhook: post<Contract['changeWebhook']>('/api/admin/webhooks/change'),
    deleteWebhook: post<Contract['deleteWebhook']>('/api/admin/webhooks/delete'),
    rotateWebhookSecret: post<Contract['rotateWebhookSecret']>('/api/admin/webhooks/rotate'),
    testWebhook: post<Contract['testWebhook']>('/api/admin/webhooks/test', SLOW_MS),
    listDeliveries: get<Contract['listDeliveries']>('/api/admin/webhooks/deliveries'),
    resendEvents: post<Contract['resendEvents']>('/api/admin/webhooks/resend'),
  }
}
