/** Mounts an endpoint of the contract. The order of checks is the contract's: browser, credentials, rate, scope, shape. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { authenticateClient, type Credentials } from '../client-app/authenticate-client.ts'
import type { ClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { createRateLimit } from './rate-limit.ts'
import { fieldsOf, inTime, parseInput } from './read-input.ts'

export interface ServerCall<Input extends z.ZodObject> {
  clientApp: ClientApp
  input: z.output<Input>
  /** Headers of the answer, whether it succeeds or is refused. */
  headers: Record<string, string>
}

const limits = new WeakMap<Context, (name: string) => boolean>()

export function mountServerEndpoint<Input extends z.ZodObject, Answer extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  endpoint: Endpoint<Input, Answer>,
  handle: (call: ServerCall<Input>) => Promise<z.input<Answer>>,
) {
  const { clientApps, config } = context
  const mayPass = limits.get(context) ?? createRateLimit(config.appRequestsPerSecond)
  limits.set(context, mayPass)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // Before the body is read: a page's secret has leaked whatever it sends.
    onRequest(request, _reply, done) {
      done(isFromBrowser(request) ? new ServiceError('BROWSER_NOT_ALLOWED') : undefined)
    },
    async handler(request, reply) {
      const headers: Record<string, string> = {}
      try {
        return await inTime(endpoint, answer(request, headers))
      } finally {
        reply.headers(headers)
      }
    },
  })
  async function answer(request: FastifyRequest, headers: Record<string, string>) {
    const fields = fieldsOf(request, endpoint)
    const credentials = credentialsOf(request, fields)
    const clientApp = await authenticateClient(clientApps, config.peppers, credentials)
    request.clientId = clientApp.clientId
    if (!mayPass(clientApp.clientId)) throw new ServiceError('RATE_LIMITED')
    if (endpoint.scope && !clientApp.scopes.includes(endpoint.scope)) {
      throw new ServiceError('INSUFFICIENT_SCOPE')
    }
    return handle({ clientApp, input: parseInput(endpoint, fields), headers })
  }
}

/** A page that calls this API carries its secret: these headers come from browsers only. */
function isFromBrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/** Query or body, as the contract has it, or HTTP Basic, which keeps the secret out of addresses. */
export function credentialsOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  fields: Record<string, unknown>,
): Credentials {
  const { authorization } = headers
  if (authorization === undefined) {
    return { clientId: fields['clientId'], clientSecret: fields['clientSecret'] }
  }
  const basic = /^Basic ([\w+/=-]{1,512})$/i.exec(authorization)?.[1] ?? ''
  const [clientId, clientSecret] = Buffer.from(basic, 'base64').toString().split(':', 2)
  return { clientId, clientSecret }
}
