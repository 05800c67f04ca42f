import { WEBHOOK_MAX_BYTES } from '@coffer/contract/limits'
import * as endpoints from '@coffer/contract/widget/widget'
import * as cards from '@coffer/contract/widget/cards'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountSessionEndpoint } from '../http/page-route.ts'
import { requireSession } from '../widget/require-session.ts'
import { createCardIntent, listWidgetCards } from './cards/pay-in-widget.ts'
import { confirmTopup, joinChecks } from './confirm.ts'
import { createIntent } from './create-intent.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { requireProcessor } from './topup-tools.ts'

export async function mountTopupRoutes(app: FastifyInstance, context: Context) {
  mountSessionEndpoint(app, endpoints.createIntent, async ({ input, session }) =>
    createIntent(requireProcessor(context), await requireSession(context, session), input.amount),
  )
  const checkJoined = joinChecks(() => requireProcessor(context))
  mountSessionEndpoint(app, endpoints.confirmTopup, async ({ input, session }) =>
    confirmTopup(
      { ...requireProcessor(context), checkJoined },
      await requireSession(context, session),
      input.paymentIntentId,
    ),
  )
  mountCards(app, context)
  await app.register(async (scope) => mountWebhook(scope, context))
}

function mountCards(app: FastifyInstance, context: Context) {
  mountSessionEndpoint(app, cards.listWidgetCards, async ({ input, session, network }) => {
    const admitted = await requireSession(context, session)
    const tools = { ...context, ...requireProcessor(context) }
    return listWidgetCards(tools, admitted, input.password, { network })
  })
  mountSessionEndpoint(app, cards.createCardIntent, async ({ input, session }) => {
    const admitted = await requireSession(context, session)
    return createCardIntent(requireProcessor(context), admitted, input)
  })
}

/** The signature covers the raw bytes, so they are not parsed before it is checked. */
function mountWebhook(scope: FastifyInstance, context: Context) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: WEBHOOK_MAX_BYTES },
    (_request, body, done) => done(null, body),
  )
  scope.post('/api/processor/webhook', async (request) => {
    const signature = request.headers['stripe-signature']
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    await receiveWebhook(requireProcessor(context), body, String(signature ?? ''))
    return { received: true }
  })
}
