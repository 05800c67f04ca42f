/** The one place that turns an error into a response. */
import type { Endpoint } from '@coffer/contract/endpoint'
import {
  type ErrorBody,
  type ErrorCode,
  type ErrorEntry,
  ERRORS,
  UNHANDLED_ERROR,
} from '@coffer/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isConnectionFailure, isRetryable } from '../database/connect.ts'
import { Overloaded, ReferenceMismatch, ServiceError } from '../service-error.ts'

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
  const { config, url: route } = request.routeOptions
  // The client disconnected while it sent the body. Node reports it like a broken connection to the database.
  const cause = error === request.raw.errored ? new ServiceError('INVALID_REQUEST') : error
  const shown = showError(cause, config?.endpoint, { id: request.id, route }, log)
  const { status, body, retryAfterSeconds } = shown
  if (shown.isExpected) request.errorCode = shown.body.code ?? null
  if (error instanceof Overloaded) request.overloadedLimit = error.limit
  if (retryAfterSeconds) reply.header('Retry-After', retryAfterSeconds)
  return reply.code(status).send(body)
}

export interface ShownError {
  status: number
  body: ErrorBody
  retryAfterSeconds?: number | undefined
  /** The endpoint lists its code. */
  isExpected: boolean
}

/** Shows the error of one operation, as a part of the response. */
export type ShowError = (error: unknown, endpoint: Endpoint) => ShownError

/** An error as clients of an endpoint see it. Details that they must not see are logged. */
export function showError(
  error: unknown,
  endpoint: Endpoint | undefined,
  request: { id: string; route: string | undefined },
  log: Logger,
): ShownError {
  const refusal = toRefusal(error)
  const isPromised = refusal && (endpoint === undefined || refusal.code in endpoint.errors)
  if (refusal === undefined || !isPromised) {
    log.error({ requestId: request.id, route: request.route, err: error }, 'unhandled error')
    const { status, text, code } = UNHANDLED_ERROR
    return { status, body: { error: text, code }, isExpected: false }
  }
  if (!(error instanceof ServiceError) && isConnectionFailure(error)) {
    log.warn(
      { requestId: request.id, err: error },
      'a database connection failed or a statement timed out',
    )
  }
  const entry: ErrorEntry = ERRORS[refusal.code]
  const retryAfterSeconds = refusal.retryAfterSeconds ?? entry.retryAfterSeconds
  const shown = showRefusal(refusal, endpoint)
  if (refusal instanceof ReferenceMismatch) shown.body.original = refusal.original
  return { ...shown, retryAfterSeconds, isExpected: true }
}

/** A refusal as clients of an endpoint see it. */
export function showRefusal(
  { code, field, problem, text }: Pick<ServiceError, 'code'> & Partial<ServiceError>,
  endpoint: Endpoint | undefined,
): { status: number; body: ErrorBody } {
  const entry: ErrorEntry = { ...ERRORS[code], ...endpoint?.errors[code] }
  const body: ErrorBody = { error: entry.text, code }
  if (entry.requiresAuth) body.requiresAuth = true
  if (field !== undefined) body.field = field
  if (text !== undefined) body.error = text
  else if (field !== undefined || problem !== undefined) {
    body.error = `${entry.text} ${problem ?? `Check the field ${field}.`}`
  }
  return { status: entry.status, body }
}

function toRefusal(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  const code =
    error instanceof Error && 'code' in error ? FRAMEWORK_CODES[String(error.code)] : null
  if (code) return new ServiceError(code)
  const isPassing = isConnectionFailure(error) || isRetryable(error)
  return isPassing ? new ServiceError('SERVICE_UNAVAILABLE') : undefined
}
