/** The definition of an endpoint of the admin area, which requires a role. */
import { z } from 'zod'
import type { Endpoint, RouteOf } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget/widget.ts'

/** From the most to the least: an owner may do what an operator may, an operator what a viewer may. */
export const ROLES = ['owner', 'operator', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export interface AdminEndpoint<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> extends Endpoint<Input, Output> {
  /** The lowest role that may call it. */
  role: Role
  /** Whether the operator must have confirmed their identity within the last minutes. */
  needsConfirmation?: boolean
}

export function defineAdminEndpoint<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Method extends 'GET' | 'POST',
  Path extends string,
>(
  endpoint: AdminEndpoint<Input, Output> & RouteOf<Method, Path>,
): AdminEndpoint<Input, Output> & RouteOf<Method, Path> {
  return endpoint
}

export const ANY_ADMIN_GET = {
  ORIGIN_NOT_ALLOWED: {},
  INVALID_REQUEST: {},
  RATE_LIMITED: {},
  SERVICE_UNAVAILABLE: {},
  LOGIN_REQUIRED: {},
} as const
export const ANY_ADMIN_POST = { ...ANY_PAGE_POST, LOGIN_REQUIRED: {} } as const
export const nothing = z.object({})
export const clientId = z.string().regex(/^app_[0-9a-f]{24}$/)
export const operationKind = z.enum([
  'debit',
  'credit',
  'topup',
  'bonus',
  'seizure',
  'reversal',
  'card_refund',
  'correction_in',
  'correction_out',
  'refund',
  'hold',
  'capture',
  'release',
  'expiry',
])
export const page = { cursor: shape.cursor.optional() }
export const nextCursor = z.string().nullable()

export const approvers = z
  .array(z.string())
  .describe('Who can approve it, by email, if it waits for a second operator.')

/** Since when something is paused, by whom and why. */
export const pause = z.object({
  at: shape.timestamp,
  by: z.string().describe('The email at that time, or the command line.'),
  reason: z.string(),
})
