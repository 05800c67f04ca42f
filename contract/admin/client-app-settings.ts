/** The settings of a client app, for registration and for changes. */
import { z } from 'zod'
import { CONTACTS_MAX, ON_MISMATCH_DEFAULT } from '../limits.ts'
import * as shape from '../shapes.ts'

export const onMismatch = z.enum(['replay', 'conflict'])

export const appSettings = {
  name: shape.personName,
  scopes: z.array(z.enum(['wallet:read', 'wallet:write'])).max(2),
  allowedOrigins: z.array(shape.text(0, 2_048)).max(50),
  allowedIframeParents: z.array(shape.text(0, 2_048)).max(50),
  accentColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable(),
  sharesParents: z
    .boolean()
    .optional()
    .describe('Accept origins that another active app also lists; both apps then share them.'),
  onMismatch: onMismatch
    .optional()
    .describe(
      `What a repeat of a reference with other values gets: 409 REFERENCE_MISMATCH (conflict) or the outcome of the first request (replay). If absent: ${ON_MISMATCH_DEFAULT} for a new app, unchanged otherwise.`,
    ),
  getsBalanceEvents: z
    .boolean()
    .optional()
    .describe(
      'Whether the app gets the event balance.changed when something that it did not do itself changes the balance of a linked wallet, from now on. If absent: false for a new app, unchanged otherwise.',
    ),
  contactEmails: z
    .array(shape.email)
    .max(CONTACTS_MAX)
    .optional()
    .describe(
      'Who is notified of changes and receives the secret after an emergency rotation. If absent: none for a new app, unchanged otherwise.',
    ),
}
