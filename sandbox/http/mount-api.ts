import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sandbox } from '../context.ts'
import { takeCallFault } from '../faults.ts'
import { createId } from '../state.ts'
import { StripeError, invalidRequest } from '../stripe-error.ts'
import { authenticateKey, requireSecret, type KeyKind } from './authenticate-key.ts'
import { expandObject } from './expand-object.ts'
import { parseForm, type Params } from './parse-form.ts'
import { readString, readStrings } from './read-params.ts'
import { fingerprintOf, releaseKey, reserveKey, storeResponse } from './replay-response.ts'

export type Call = { sandbox: Sandbox; params: Params; id: string; key: KeyKind }

export type Operation = {
  /** Method and path, in the form that faults use. */
  route: string
  /** Parameters besides `expand`. Like Stripe, the sandbox refuses all others. */
  accepts: string[]
  /** Whether a page may call it with the publishable key. */
  publishable?: boolean
  run: (call: Call) => object
}

type Output = { status: number; body: string }

export function mountApi(app: FastifyInstance, sandbox: Sandbox, operations: Operation[]) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, parseForm(String(body)))
  })
  app.addHook('onRequest', async (_request, reply) => {
    // As at api.stripe.com, pages of any origin may call the API with a publishable key and without cookies.
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers':
        'authorization, content-type, idempotency-key, stripe-version',
      'access-control-expose-headers': 'request-id, stripe-should-retry, idempotent-replayed',
      'access-control-max-age': '300',
      'cache-control': 'no-cache, no-store',
    })
  })
  for (const operation of operations) {
    const [method = '', url = ''] = operation.route.split(' ')
    app.route({
      method,
      url,
      handler: (request, reply) => respondToCall(sandbox, operation, request, reply),
    })
  }
  app.all('/v1/*', (request, reply) => {
    if (request.method === 'OPTIONS') return reply.code(204).send()
    const [path] = request.url.split('?')
    const message = `Unrecognized request URL (${request.method}: ${path}). Please see https://stripe.com/docs.`
    const requestId = createId('req')
    const error = new StripeError(404, 'invalid_request_error', message)
    return send(reply, requestId, { status: 404, body: JSON.stringify(error.toBody(requestId)) })
  })
}

async function respondToCall(
  sandbox: Sandbox,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const requestId = createId('req')
  const idempotencyKey = request.method === 'POST' ? headerOf(request, 'idempotency-key') : null
  const fault = takeCallFault(sandbox.faults, operation.route)
  let reserved = false
  try {
    const call = readCall(sandbox, operation, request)
    if (idempotencyKey !== null) {
      reply.header('idempotency-key', idempotencyKey)
      const fingerprint = fingerprintOf(request.method, request.url, call.params)
      const stored = reserveKey(sandbox.state, idempotencyKey, fingerprint, requestId)
      if (stored !== null && fault === null) {
        reply.headers({ 'idempotent-replayed': 'true', 'original-request': stored.requestId })
        return await send(reply, requestId, stored.response)
      }
      reserved = stored === null
    }
    if (sandbox.faults.delayMs > 0) await pause(sandbox.faults.delayMs)
    if (fault?.name === 'timeoutBefore') return abandon(reply, fault.reset)
    if (fault?.name === 'status500') throw internalError()
    if (fault?.name === 'status429') throw tooManyRequests()
    const replayed = idempotencyKey !== null && !reserved
    const response = replayed ? null : runOperation(operation, call, requestId, idempotencyKey)
    if (response !== null && idempotencyKey !== null && isKept(response.status)) {
      storeResponse(sandbox.state, idempotencyKey, response)
      reserved = false
    }
    if (fault?.name === 'timeoutAfter') return abandon(reply, fault.reset)
    if (response === null || fault?.name === 'status500After') throw internalError()
    return await send(reply, requestId, response)
  } catch (error) {
    return await send(reply, requestId, renderError(error, requestId))
  } finally {
    if (reserved && idempotencyKey !== null) releaseKey(sandbox.state, idempotencyKey)
  }
}

/**
 * Stripe stores the responses of executed requests, including declined cards, but not of requests that failed
 * validation.
 */
function isKept(status: number): boolean {
  return status === 200 || status === 402
}

function readCall(sandbox: Sandbox, operation: Operation, request: FastifyRequest): Call {
  const query = parseForm(request.url.split('?')[1] ?? '')
  const params: Params = { ...query, ...(request.body as Params | undefined) }
  const keyParam = readString(params, 'key')
  const key = authenticateKey(sandbox.settings, request.headers.authorization, keyParam)
  if (operation.publishable !== true) requireSecret(key)
  delete params['key']
  const version = headerOf(request, 'stripe-version')
  for (const name of Object.keys(params)) {
    const isAccepted = name === 'expand' || operation.accepts.includes(name)
    if (isAccepted && !isRemoved(name, version)) continue
    const detail = { code: 'parameter_unknown', param: name }
    throw invalidRequest(`Received unknown parameter: ${name}`, detail)
  }
  const { id = '' } = request.params as { id?: string }
  return { sandbox, params, id, key }
}

/** The API version of the pinned SDK replaced `payment_method_types` with `allowed_payment_method_types`. */
function isRemoved(name: string, version: string | null): boolean {
  return name === 'payment_method_types' && version?.endsWith('.endive') === true
}

function runOperation(
  operation: Operation,
  call: Call,
  requestId: string,
  idempotencyKey: string | null,
): Output {
  const { state } = call.sandbox
  state.request = { id: requestId, idempotency_key: idempotencyKey }
  try {
    const paths = readStrings(call.params, 'expand') ?? []
    if (paths.length > 0) requireSecret(call.key)
    const result = operation.run(call)
    return { status: 200, body: JSON.stringify(expandObject(state, result, paths), null, 2) }
  } catch (error) {
    return renderError(error, requestId)
  } finally {
    state.request = null
  }
}

function renderError(error: unknown, requestId: string): Output {
  if (!(error instanceof StripeError)) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  }
  const known = error instanceof StripeError ? error : internalError()
  return { status: known.status, body: JSON.stringify(known.toBody(requestId), null, 2) }
}

function internalError(): StripeError {
  return new StripeError(500, 'api_error', 'An unknown error occurred')
}

function tooManyRequests(): StripeError {
  const message = 'Request rate limit exceeded.'
  return new StripeError(429, 'invalid_request_error', message, { code: 'rate_limit' })
}

function send(reply: FastifyReply, requestId: string, { status, body }: Output) {
  reply.headers({ 'request-id': requestId, 'content-type': 'application/json' })
  return reply.code(status).send(body)
}

/** Sends no response: leaves the connection open, or closes it. */
function abandon(reply: FastifyReply, reset: boolean): FastifyReply {
  reply.hijack()
  if (reset) reply.raw.destroy()
  return reply
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
