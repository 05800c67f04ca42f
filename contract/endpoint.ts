/** What an endpoint is: where, what goes in, what comes out, and every way in which it may refuse. */
import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

export type Scope = 'wallet:read' | 'wallet:write'
export const SCOPES: readonly Scope[] = ['wallet:read', 'wallet:write']

/** What a restricted secret can be allowed to do. */
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
  /** Query parameters of a GET, the JSON body of a POST; the client app's credentials are sent beside them. */
  input: Input
  /** Query parameters of a POST, beside its body. */
  query?: z.ZodObject
  response: Output
  /** The response is a stream with one JSON object of this shape per line. */
  isLines?: true
  /** The scope that the client app needs, if any. */
  scope?: Scope
  /** A restricted secret needs one of these; without any, no restricted secret is enough. */
  secretScopes?: readonly SecretScope[]
  /** A secret without a restriction is not enough: one of `secretScopes` must be granted. */
  requiresRestrictedSecret?: true
  /** How long the service works on it at most, if it needs longer than other endpoints. */
  deadlineMs?: number
  /** How large its body may be, if it may be larger than that of other endpoints. */
  bodyMaxBytes?: number
  /** All error codes that it can return; a status or text here overrides the one in the table. */
  errors: Readonly<Partial<Record<ErrorCode, { status?: number; text?: string }>>>
}

/** Method and path as literal types, so that a page which calls the endpoint cannot misspell them. */
export interface Place<Method extends 'GET' | 'POST', Path extends string> {
  method: Method
  path: Path
}

export function defineEndpoint<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Method extends 'GET' | 'POST',
  Path extends string,
>(
  endpoint: Endpoint<Input, Output> & Place<Method, Path>,
): Endpoint<Input, Output> & Place<Method, Path> {
  return endpoint
}
