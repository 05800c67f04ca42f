/** The definition of an endpoint: method, path, input, response and all error codes. */
import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

export type Scope = 'wallet:read' | 'wallet:write'
export const SCOPES: readonly Scope[] = ['wallet:read', 'wallet:write']

/** The scopes that a restricted secret can have. */
export const SECRET_SCOPES = [
  'wallet:read',
  'wallet:debit',
  'wallet:credit',
  'wallet:refund',
  'wallet:hold',
  'webhooks:manage',
] as const
export type SecretScope = (typeof SECRET_SCOPES)[number]

export interface Endpoint<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  method: 'GET' | 'POST'
  path: string
  summary: string
  description: string
  /** Query parameters of a GET, the JSON body of a POST; the credentials of the client app can be sent with them. */
  input: Input
  /** Query parameters of a POST, beside its body. */
  query?: z.ZodObject
  response: Output
  /** The response is a stream with one JSON object of this shape per line. */
  isNdjson?: true
  /** The scope that the client app needs, if any. */
  scope?: Scope
  /** A restricted secret needs one of these scopes. Absent: a restricted secret cannot call the endpoint. */
  secretScopes?: readonly SecretScope[]
  /** A secret without a restriction is not sufficient: the call needs one of `secretScopes`. */
  requiresRestrictedSecret?: true
  /** The maximum time that the service spends on a request, if longer than for other endpoints. */
  deadlineMs?: number
  /** The maximum size of the body, if larger than for other endpoints. */
  bodyMaxBytes?: number
  /** All error codes that it can return; a status or text here overrides the one in the table. */
  errors: Readonly<Partial<Record<ErrorCode, { status?: number; text?: string }>>>
}

/** Method and path as literal types, so that a page that calls the endpoint cannot misspell them. */
export interface RouteOf<Method extends 'GET' | 'POST', Path extends string> {
  method: Method
  path: Path
}

export function defineEndpoint<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Method extends 'GET' | 'POST',
  Path extends string,
>(
  endpoint: Endpoint<Input, Output> & RouteOf<Method, Path>,
): Endpoint<Input, Output> & RouteOf<Method, Path> {
  return endpoint
}
