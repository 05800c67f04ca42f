/**
 * Parsing a large body takes as long as many debits. So it is parsed only if it contains valid credentials, and a
 * network that has sent many without them has to wait before another one is read. Credentials in the header are checked
 * before the body is read: such a request does not wait for the others of its network.
 */
import type { Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import type { FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { authenticateClient, type Credentials } from '../client-app/authenticate-client.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { createRateLimit } from './rate-limit.ts'
import { findNetwork, readAddress } from './read-address.ts'

export interface BodyGuard {
  /** Before the body is read. */
  admit: (request: FastifyRequest, response: ServerResponse) => Promise<void>
  /** Before it is parsed. */
  check: (request: FastifyRequest, body: Buffer) => Promise<void>
}

const FAILURES_PER_MINUTE = 60
/** Of a network at the same time, until they have their responses. */
const READ_MAX = 64

/** What every JSON encoder writes. The exact credentials are checked again after parsing. */
const CLIENT_ID = /"clientId"\s*:\s*"(app_[0-9a-f]{24})"/
const CLIENT_SECRET = /"clientSecret"\s*:\s*"(coffer_sk_[\w-]{51})"/

/** undefined: the endpoint accepts only small bodies. */
export function guardLargeBodies(
  { clientApps, config }: Context,
  { bodyMaxBytes }: Endpoint,
  credentialsOf: (request: FastifyRequest, fields: Record<string, unknown>) => Credentials,
): BodyGuard | undefined {
  if (bodyMaxBytes === undefined) return undefined
  const mayFail = createRateLimit(FAILURES_PER_MINUTE, 60)
  const reading = new Map<string, number>()
  const authenticate = (request: FastifyRequest, fields: Record<string, unknown>) =>
    authenticateClient(clientApps, config.peppers, credentialsOf(request, fields))

  function countReading(network: string, change: number) {
    const count = (reading.get(network) ?? 0) + change
    if (count > 0) reading.set(network, count)
    else reading.delete(network)
  }

  return {
    async admit(request, response) {
      const { headers } = request
      if (Number(headers['content-length']) <= BODY_MAX_BYTES) return
      if (headers.authorization !== undefined) {
        await authenticate(request, {})
        return
      }
      const network = findNetwork(readAddress(request))
      if ((reading.get(network) ?? 0) >= READ_MAX || !mayFail(network, 0)) {
        throw new ServiceError('RATE_LIMITED')
      }
      countReading(network, 1)
      response.once('close', () => countReading(network, -1))
    },
    async check(request, body) {
      if (body.length <= BODY_MAX_BYTES || request.headers.authorization !== undefined) return
      const text = body.toString('latin1')
      const [, clientId = ''] = CLIENT_ID.exec(text) ?? []
      const [, clientSecret = ''] = CLIENT_SECRET.exec(text) ?? []
      try {
        await authenticate(request, { clientId, clientSecret })
      } catch (error) {
        if (error instanceof ServiceError) mayFail(findNetwork(readAddress(request)))
        throw error
      }
    },
  }
}
