/** Reads and checks the input of every endpoint. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { InvalidAmount, InvalidRequest, ServiceError } from '../service-error.ts'

/** A request ends within 8 s unless its endpoint needs longer, and clients are advised to wait for ten. */
const DEADLINE_MS = 7_500

export async function withDeadline<Result>(
  endpoint: Endpoint,
  result: Promise<Result>,
): Promise<Result> {
  const code = endpoint.errors.OUTCOME_UNKNOWN ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE'
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError(code)), endpoint.deadlineMs ?? DEADLINE_MS)
  })
  try {
    return await Promise.race([result, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

export function fieldsOf(request: FastifyRequest, endpoint: Endpoint): Record<string, unknown> {
  if (endpoint.method === 'GET') return request.query as Record<string, unknown>
  const { body } = request
  if (body === undefined) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  return requireObject(body)
}

export function requireObject(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidRequest('The body must be a JSON object.')
  }
  return body as Record<string, unknown>
}

/** A repeated query parameter arrives as an array and is ambiguous. */
function refuseRepeated(method: string, fields: Record<string, unknown>) {
  if (method !== 'GET') return
  for (const [field, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) continue
    throw new InvalidRequest(`The field ${field} must be sent only once.`, field)
  }
}

export function parseInput<Input extends z.ZodObject>(
  { input, method }: Pick<Endpoint<Input>, 'input' | 'method'>,
  fields: Record<string, unknown>,
): z.output<Input> {
  refuseRepeated(method, fields)
  const result = input.safeParse(fields)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = String(issue?.path[0] ?? '')
  const isMissing = fields[field] === undefined
  const subject = isMissing ? `The field ${field} is missing. It` : `The field ${field}`
  if (field === 'amount' || field === 'requiredAmount') {
    throw new InvalidAmount(field, `${subject} must be a decimal number or string such as 19.99.`)
  }
  // Other messages are zod's, or they are about an element of the field.
  const [, part, ...deeper] = issue?.path ?? []
  const isOfObject = typeof part === 'string' && deeper.length === 0
  if (!issue?.message.startsWith('must ') || (part !== undefined && !isOfObject)) {
    throw new ServiceError('INVALID_REQUEST', field)
  }
  if (isOfObject) {
    throw new InvalidRequest(`The field ${field} must have a ${part}: it ${issue.message}.`, field)
  }
  throw new InvalidRequest(`${subject} ${issue.message}.`, field)
}
