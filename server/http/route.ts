/** Mounts an endpoint of the server API. It checks in this order: browser, credentials, network, rate, scope, input. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { authenticateClient, type Credentials } from '../client-app/authenticate-client.ts'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import { requireScope } from '../client-app/restriction.ts'
import type { Context } from '../context.ts'
import { InvalidClient, Overloaded, ServiceError } from '../service-error.ts'
import { guardLargeBodies, type BodyGuard } from './guard-large-bodies.ts'
import { readAddress } from './read-address.ts'
import { fieldsOf, withDeadline, parseInput } from './read-input.ts'
import { showError, type ShowError } from './render-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Before a body is parsed. */
    checkBody?: BodyGuard['check']
  }
}

export interface ServerCall<Input extends z.ZodObject> {
  clientApp: ClientApp
  input: z.output<Input>
  /** Headers of the response, whether it succeeds or is refused. */
  headers: Record<string, string>
  showError: ShowError
  /** For calls that wait: it is closed when the client disconnects. */
  response: ServerResponse
  /** Reports time in which the call only waited for something to happen. The metrics leave it out. */
  addWait: (waitedMs: number) => void
}

export function mountServerEndpoint<Input extends z.ZodObject, Response extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  endpoint: Endpoint<Input, Response>,
  handle: (call: ServerCall<Input>) => Promise<z.input<Response>>,
  /** How many calls a request counts as. */
  countCalls: (fields: Record<string, unknown>) => number = () => 1,
) {
  const guard = guardLargeBodies(context, endpoint, credentialsOf)
  mountRoute(app, context, endpoint, handle, countCalls, guard)
}

/** The response is a stream of lines. An app can have one at a time. */
export function mountServerExport<Input extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  endpoint: Endpoint<Input>,
  handle: (call: ServerCall<Input>) => Promise<Readable>,
) {
  mountRoute(app, context, endpoint, async (call) => {
    const { clientApp, headers, response, addWait } = call
    const caller = String(clientApp.ledgerAccount)
    const lines = await context.appExports.start(caller, response, () => handle(call))
    headers['Content-Type'] = 'application/x-ndjson'
    // How long it takes depends on the client.
    const startedMs = performance.now()
    lines.once('close', () => addWait(performance.now() - startedMs))
    return lines
  })
}

function mountRoute<Input extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  endpoint: Endpoint<Input>,
  handle: (call: ServerCall<Input>) => Promise<unknown>,
  countCalls: (fields: Record<string, unknown>) => number = () => 1,
  guard?: BodyGuard,
) {
  const { clientApps, config, throttles } = context
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint, ...(guard && { checkBody: guard.check }) },
    bodyLimit: endpoint.bodyMaxBytes ?? BODY_MAX_BYTES,
    // Before the body is read: a secret that a page holds has leaked, whatever the page sends.
    async onRequest(request, reply) {
      if (isFromBrowser(request)) throw new ServiceError('BROWSER_NOT_ALLOWED')
      await guard?.admit(request, reply.raw)
    },
    async handler(request, reply) {
      const headers: Record<string, string> = {}
      try {
        return await withDeadline(endpoint, respond(request, headers, reply.raw))
      } finally {
        reply.headers(headers)
      }
    },
  })
  async function respond(
    request: FastifyRequest,
    headers: Record<string, string>,
    response: ServerResponse,
  ) {
    const fields = fieldsOf(request, endpoint)
    const credentials = credentialsOf(request, fields)
    const clientApp = await authenticateClient(clientApps, config.peppers, credentials)
    request.clientId = clientApp.clientId
    if (clientApp.restriction?.isAllowedFrom(readAddress(request)) === false) {
      throw new ServiceError('NETWORK_NOT_ALLOWED')
    }
    const isAllowed = throttles.mayCallServerApi(clientApp.clientId, countCalls(fields))
    if (!isAllowed) throw new ServiceError('RATE_LIMITED')
    requireScope(clientApp, endpoint)
    const input = parseInput(endpoint, fields)
    const addWait = (waitedMs: number) => {
      request.waitedMs += waitedMs
    }
    return handle({
      clientApp,
      input,
      headers,
      showError: createShowError(context, request, endpoint.path),
      response,
      addWait,
    })
  }
}

/** Records an error as if it were the response to a request. */
function createShowError(
  { log, metrics, appActivity }: Context,
  request: FastifyRequest,
  route: string,
): ShowError {
  return (error, endpoint) => {
    const shown = showError(error, endpoint, { id: request.id, route }, log)
    const { code } = shown.body
    if (error instanceof Overloaded) metrics.countOverload(error.limit)
    if (request.clientId && code && shown.isExpected) {
      appActivity.recordRefusal(request.clientId, 'error', code)
    }
    return shown
  }
}

/** Only browsers send these headers, and a page that calls this API exposes its secret. */
function isFromBrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

const USE_BASIC = 'Use HTTP Basic authentication with your clientId and clientSecret.'

/**
 * From the query or body, as the contract defines, or from HTTP Basic, which keeps the secret out of URLs. The texts
 * depend only on the request, so they do not tell which apps exist.
 */
export function credentialsOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  fields: Record<string, unknown>,
): Credentials {
  const { authorization } = headers
  if (authorization === undefined) {
    const { clientId, clientSecret } = fields
    if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
    const isNeither = clientId === undefined && clientSecret === undefined
    const missing = clientId === undefined ? 'clientId' : 'clientSecret'
    const what = isNeither ? 'No credentials were sent' : `The ${missing} was not sent`
    throw new InvalidClient(`${what}. ${USE_BASIC}`)
  }
  const basic = /^Basic ([\w+/=-]{1,512})$/i.exec(authorization)?.[1]
  if (basic === undefined) {
    throw new InvalidClient(`The header Authorization is not valid HTTP Basic. ${USE_BASIC}`)
  }
  const [clientId, clientSecret] = Buffer.from(basic, 'base64').toString().split(':', 2)
  return { clientId, clientSecret }
}
