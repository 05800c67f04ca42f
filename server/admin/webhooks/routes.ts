import * as endpoints from '@coffer/contract/admin/webhooks'
import type { FastifyInstance } from 'fastify'
import assert from 'node:assert/strict'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import { listDeliveries } from '../../events/webhooks/list-deliveries.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requireWebhook,
  rotateSecret,
  type Actor,
} from '../../events/webhooks/manage-webhooks.ts'
import { listWebhooks } from '../../events/webhooks/queries.ts'
import { resendEvents } from '../../events/webhooks/resend-events.ts'
import { showWebhook } from '../../events/webhooks/show-webhook.ts'
import { testWebhook } from '../../events/webhooks/test-webhook.ts'
import { mountAdminEndpoint } from '../access.ts'
import { changeAsOperator, findApp } from './change-as-operator.ts'

export function mountWebhookRoutes(app: FastifyInstance, context: Context) {
  const { operatorDb, sender, config } = context
  mountAdminEndpoint(app, context, endpoints.listWebhooks, async ({ input }) => {
    const { id, name } = await findApp(operatorDb, input.clientId)
    const webhooks = await many(operatorDb, listWebhooks(id))
    return { name, webhooks: webhooks.map(showWebhook) }
  })
  mountAdminEndpoint(app, context, endpoints.listDeliveries, async ({ input }) => {
    const { clientId, webhookId, state, cursor } = input
    const { id, ledgerAccount } = await findApp(operatorDb, clientId)
    const webhook = await requireWebhook(operatorDb, id, webhookId)
    const search = { webhookId: webhook.id, ledgerAccount, state, cursor }
    return listDeliveries(operatorDb, context, search)
  })
  mountAdminEndpoint(app, context, endpoints.testWebhook, async ({ input, record }) => {
    const { clientId, webhookId } = input
    const { id } = await findApp(context.db, clientId)
    const webhook = await requireWebhook(context.db, id, webhookId)
    const after = { webhookId, url: webhook.url }
    await record(context.db, { action: 'webhook.test', subject: clientId, after })
    return testWebhook(sender, config, webhook)
  })
  mountAdminEndpoint(app, context, endpoints.resendEvents, async ({ input, record }) => {
    const { clientId, webhookId, eventId, since } = input
    const { id } = await findApp(context.db, clientId)
    const webhook = await requireWebhook(context.db, id, webhookId)
    const result = await resendEvents(context.db, webhook.id, { eventId, since }, (tx, queued) =>
      record(tx, {
        action: 'webhook.resend',
        subject: clientId,
        after: { webhookId, eventId, since, queued },
      }),
    )
    return result
  })
  mountChanges(app, context)
}

function mountChanges(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.createWebhook, async (call) => {
    const { clientId, ...settings } = call.input
    const { result, approvers = [] } = await changeAsOperator(context, call, clientId, (id, note) =>
      createWebhook(context, operatorOf(id), settings, note),
    )
    return { ...(result ?? { webhookId: null, secret: null }), approvers }
  })
  mountAdminEndpoint(app, context, endpoints.changeWebhook, async (call) => {
    const { clientId, webhookId, ...settings } = call.input
    const { approvers } = await changeAsOperator(context, call, clientId, (id, note) =>
      changeWebhook(context, { ...operatorOf(id), webhookId }, settings, note),
    )
    return { changeWaits: approvers !== undefined, approvers: approvers ?? [] }
  })
  mountAdminEndpoint(app, context, endpoints.deleteWebhook, async (call) => {
    const { clientId, webhookId } = call.input
    await changeAsOperator(context, call, clientId, (id, note) =>
      deleteWebhook(context, { ...operatorOf(id), webhookId }, note),
    )
    return {}
  })
  mountAdminEndpoint(app, context, endpoints.rotateWebhookSecret, async (call) => {
    const { clientId, webhookId, overlap } = call.input
    const { result } = await changeAsOperator(context, call, clientId, (id, note) =>
      rotateSecret(context, { ...operatorOf(id), webhookId }, overlap, note),
    )
    assert(result, 'the rotation keeps the URL')
    return result
  })
}

function operatorOf(clientAppId: bigint): Actor {
  return { clientAppId, secretId: null }
}
