/** The alert about the debits of a client app, part of the area client-apps. */
import { z } from 'zod'
import { ANY_ADMIN_POST, defineAdminEndpoint, nothing } from './endpoint.ts'
import * as shape from '../shapes.ts'

export const setDebitAlert = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps/debit-alert',
  summary: 'Set the alert about debits',
  description:
    'Operators and the contacts of the app are notified when its debits in one hour exceed the amount. The service compares every few seconds, after the debits; it refuses none because of it.',
  role: 'operator',
  isDangerous: true,
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
