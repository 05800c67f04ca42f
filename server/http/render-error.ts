/** The one place that turns an error into a response. */
import type { Endpoint } from '@coffer/contract/endpoint'
import {
  ERRORS,
  UNHANDLED_ERROR,
  type ErrorBody,
  type ErrorCode,
  type ErrorEntry,
} from '@coffer/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isConnectionFailure, mayPassNextTime } from '../database/connect.ts'
import { Overloaded, ServiceError } from '../service-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_REQUEST',
}

export function addErrorHandler(app: FastifyInstance, log: Logger) {
  app.setErrorHandler((error, request, reply) => renderError(error, request, reply, log))
}

export function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
) {
  const refusal = toRefusal(error)
  const endpoint = request.routeOptions.config?.endpoint
  const isPromised = refusal && (endpoint === undefined || refusal.code in endpoint.errors)
  if (refusal === undefined || !isPromised) {
    log.error(
      { requestId: request.id, route: request.routeOptions.url, err: error },
      'unhandled error',
    )
    const { status, text, code } = UNHANDLED_ERROR
    return reply.code(status).send({ error: text, code } satisfies ErrorBody)
  }
  if (!(error instanceof ServiceError) && isConnectionFailure(error)) {
    log.warn({ requestId: request.id, err: error }, 'the database could not be reached')
  }
  const { code } = refusal
  const entry: ErrorEntry = ERRORS[code]
  request.errorCode = code
  if (error instanceof Overloaded) request.overloadedLimit = error.limit
  const retryAfterSeconds = refusal.retryAfterSeconds ?? entry.retryAfterSeconds
  if (retryAfterSeconds) reply.header('Retry-After', retryAfterSeconds)
  const { status, body } = showRefusal(refusal, endpoint)
  return reply.code(status).send(body)
}

/** A refusal as clients of an endpoint see it. */
export function showRefusal(
  { code, field, problem }: Pick<ServiceError, 'code' | 'field' | 'problem'>,
  endpoint: Endpoint | undefined,
): { status: number; body: ErrorBody } {
  const entry: ErrorEntry = ERRORS[code]
  const body: ErrorBody = { error: entry.text, code }
  if (entry.requiresAuth) body.requiresAuth = true
  if (field !== undefined) body.field = field
  if (field !== undefined || problem !== undefined) {
    body.error = `${entry.text} ${problem ?? `Check the field ${field}.`}`
  }
  return { status: endpoint?.errors[code]?.status ?? entry.status, body }
}

function toRefusal(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  const code =
    error instanceof Error && 'code' in error ? FRAMEWORK_CODES[String(error.code)] : null
  if (code) return new ServiceError(code)
  const isPassing = isConnectionFailure(error) || mayPassNextTime(error)
  return isPassing ? new ServiceError('SERVICE_UNAVAILABLE') : undefined
}
