import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sandbox } from '../context.ts'
import { DISPUTE_OUTCOMES } from '../disputes/resolve-dispute.ts'
import { StripeError, invalidRequest } from '../stripe-error.ts'
import type { Controls } from './create-controls.ts'
import { readFaults } from './read-faults.ts'

type ControlRoute = { route: string; run: (id: string, body: Record<string, unknown>) => unknown }

/** The control API: JSON under /sandbox. It requires no credentials, so the sandbox listens on loopback by default. */
export function mountControl(app: FastifyInstance, sandbox: Sandbox, controls: Controls) {
  const { state, faults } = sandbox
  const routes: ControlRoute[] = [
    { route: 'GET /sandbox', run: () => ({ routes: routes.map(({ route }) => route) }) },
    { route: 'GET /sandbox/faults', run: () => faults },
    {
      route: 'POST /sandbox/faults',
      run: (_id, body) => {
        readFaults(faults, body)
        return faults
      },
    },
    {
      route: 'DELETE /sandbox/faults',
      run: () => {
        controls.resetFaults()
        return faults
      },
    },
    { route: 'GET /sandbox/deliveries', run: () => ({ deliveries: state.deliveries }) },
    ...driveControls(controls),
  ]
  app.addHook('onRequest', async (request) => {
    const site = request.headers['sec-fetch-site'] ?? 'none'
    if (site === 'none' || site === 'same-origin') return
    throw new StripeError(
      403,
      'invalid_request_error',
      'The control API accepts no requests from pages of other sites.',
    )
  })
  for (const { route, run } of routes) {
    const [method = '', url = ''] = route.split(' ')
    app.route({ method, url, handler: (request) => run(idOf(request), bodyOf(request)) ?? {} })
  }
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof StripeError ? error : invalidRequest(String(error))
    return reply.code(known.status).send(known.toBody('req_control'))
  })
}

function driveControls(controls: Controls): ControlRoute[] {
  return [
    {
      route: 'POST /sandbox/payment_intents/:id/complete',
      run: (id, { card, authentication }) =>
        controls.complete(id, textOf(card), outcomeOf(authentication)),
    },
    {
      route: 'POST /sandbox/payment_intents/:id/authenticate',
      run: (id, { outcome }) => controls.authenticate(id, outcomeOf(outcome) ?? 'succeeded'),
    },
    {
      route: 'POST /sandbox/payment_intents/:id/end-processing',
      run: (id) => controls.endProcessing(id),
    },
    {
      route: 'POST /sandbox/charges/:id/dispute',
      run: (id, { reason, inquiry, amount }) =>
        controls.openDispute(id, {
          ...(typeof reason === 'string' ? { reason } : {}),
          ...(typeof amount === 'number' ? { amount } : {}),
          isInquiry: inquiry === true,
        }),
    },
    {
      route: 'POST /sandbox/disputes/:id/resolve',
      run: (id, { outcome }) => {
        const known = DISPUTE_OUTCOMES.find((name) => name === outcome)
        if (known === undefined)
          throw invalidRequest(`outcome must be one of ${DISPUTE_OUTCOMES.join(', ')}.`)
        return controls.resolveDispute(id, known)
      },
    },
    {
      route: 'POST /sandbox/refunds/:id/fail',
      run: (id, { reason }) => controls.failRefund(id, textOf(reason)),
    },
    { route: 'POST /sandbox/refunds/:id/succeed', run: (id) => controls.succeedRefund(id) },
    { route: 'POST /sandbox/events/:id/resend', run: (id) => controls.resendEvent(id) },
    { route: 'POST /sandbox/webhooks/flush', run: () => controls.flushWebhooks() },
    { route: 'POST /sandbox/reset', run: () => controls.reset() },
  ]
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id?: string }).id ?? ''
}

function bodyOf(request: FastifyRequest): Record<string, unknown> {
  return (request.body ?? {}) as Record<string, unknown>
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function outcomeOf(value: unknown): 'succeeded' | 'failed' | undefined {
  if (value === undefined || value === 'succeeded' || value === 'failed') return value
  throw invalidRequest('outcome must be succeeded or failed.')
}
