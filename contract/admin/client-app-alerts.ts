/** The alert about the debits of a client app, part of the area client-apps. */
import { z } from 'zod'
import { ANY_ADMIN_POST, defineAdminEndpoint, nothing } from './endpoint.ts'
import * as shape from '../shapes.ts'

export const setDebitAlert = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps/debit-alert',
  summary: 'Set the alert about debits',
  description:
    'Operators and contacts are notified when the debits and holds of the app in one hour exceed the amount. The check runs every few seconds after the operations are recorded, so it refuses none of them.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({
    clientId: shape.id,
    above: shape.amount.nullable().describe('null: no alert.'),
    pauses: z.boolean().describe('Whether an alert also pauses the debits and credits of the app.'),
  }),
  response: nothing,
  errors: {
    ...ANY_ADMIN_POST,
    OPERATOR_FORBIDDEN: {},
    CONFIRMATION_REQUIRED: {},
    INVALID_AMOUNT: {},
    NOT_FOUND: {},
  },
})
