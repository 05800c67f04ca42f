/** The webhooks of the client app that calls. */
import * as endpoints from '@coffer/contract/server/webhooks'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import { mountServerEndpoint } from '../../http/route.ts'
import { changeAsApp, limitWebhookChanges } from './change-as-app.ts'
import { listDeliveries } from './list-deliveries.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requireWebhook,
  rotateSecret,
} from './manage-webhooks.ts'
import { listWebhooks } from './queries.ts'
import { resendEvents } from './resend-events.ts'
import { showWebhook } from './show-webhook.ts'
import { testWebhook } from './test-webhook.ts'

export function mountWebhookRoutes(app: FastifyInstance, context: Context) {
  const { db, sender, config } = context
  mountServerEndpoint(app, context, endpoints.listOwnWebhooks, async ({ clientApp }) => {
    const webhooks = await many(db, listWebhooks(clientApp.id))
    return { webhooks: webhooks.map(showWebhook) }
  })
  mountServerEndpoint(app, context, endpoints.listOwnDeliveries, async ({ clientApp, input }) => {
    const { webhookId, state, cursor } = input
    const { id } = await requireWebhook(db, clientApp.id, webhookId)
    return listDeliveries(db, context, {
      webhookId: id,
      ledgerAccount: clientApp.ledgerAccount,
      state,
      cursor,
    })
  })
  mountServerEndpoint(app, context, endpoints.testOwnWebhook, async ({ clientApp, input }) => {
    limitWebhookChanges(context, clientApp)
    const webhook = await requireWebhook(db, clientApp.id, input.webhookId)
    return testWebhook(sender, config, webhook)
  })
  mountServerEndpoint(app, context, endpoints.resendOwnEvents, async ({ clientApp, input }) => {
    const { webhookId, ...which } = input
    limitWebhookChanges(context, clientApp)
    const { id } = await requireWebhook(db, clientApp.id, webhookId)
    return resendEvents(db, id, which, () => Promise.resolve())
  })
  mountChanges(app, context)
}

function mountChanges(app: FastifyInstance, context: Context) {
  mountServerEndpoint(app, context, endpoints.createOwnWebhook, ({ clientApp, input }) =>
    changeAsApp(context, clientApp, (actor, note) => createWebhook(context, actor, input, note)),
  )
  mountServerEndpoint(app, context, endpoints.changeOwnWebhook, async ({ clientApp, input }) => {
    const { webhookId, ...settings } = input
    await changeAsApp(context, clientApp, (actor, note) =>
      changeWebhook(context, { ...actor, webhookId }, settings, note),
    )
    return { webhookId }
  })
  mountServerEndpoint(app, context, endpoints.deleteOwnWebhook, async ({ clientApp, input }) => {
    await changeAsApp(context, clientApp, (actor, note) =>
      deleteWebhook(context, { ...actor, ...input }, note),
    )
    return input
  })
  mountServerEndpoint(app, context, endpoints.rotateOwnWebhookSecret, ({ clientApp, input }) => {
    const { webhookId, overlap } = input
    return changeAsApp(context, clientApp, (actor, note) =>
      rotateSecret(context, { ...actor, webhookId }, overlap, note),
    )
  })
}
