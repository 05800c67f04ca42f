/** Bonuses, corrections and credit limits, and the second operator who approves what is above the threshold. */
import { z } from 'zod'
import {
  ANY_ADMIN_GET,
  ANY_ADMIN_POST,
  approvers,
  defineAdminEndpoint,
  nextCursor,
  nothing,
  page,
} from './endpoint.ts'
import * as shape from '../shapes.ts'

const grantId = z.uuid().meta({
  description: 'Made by the caller, a new one for each grant: whatever is sent twice happens once.',
})
const personId = z.string().regex(/^\d{1,18}$/)
const kind = z
  .enum(['bonus', 'correction_in', 'correction_out'])
  .describe('A gift, or a correction of the balance upwards or downwards.')
const listedKind = z
  .enum([...kind.options, 'credit_limit'])
  .describe('A gift, a correction of the balance, or a credit limit of a client app.')
const status = z
  .enum(['open', 'approved', 'posted', 'refused', 'rejected', 'withdrawn'])
  .describe(
    'open: waits for a second operator. approved: decided, and being posted. refused: the wallet could not take it.',
  )

/** What became of a grant. */
const outcome = z.object({
  status,
  balance: shape.money.nullable().describe('Right after it was posted; null if it was not.'),
  currency: shape.currency,
  approvers,
})
const POSTING = { INSUFFICIENT_BALANCE: {}, BALANCE_LIMIT: {}, OUTCOME_UNKNOWN: {} } as const
const CHANGE = { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, NOT_FOUND: {} } as const

export const proposeGrant = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/grants',
  summary: 'Give a bonus or correct a balance',
  description:
    'Posted at once, unless it takes the sum of 24 hours above the limit: then it waits for a second operator. The sum is that of everybody whom one person could act as.',
  role: 'operator',
  isDangerous: true,
  input: z.object({
    id: grantId,
    personId,
    kind,
    amount: shape.amount,
    reason: shape.reason,
  }),
  answer: outcome,
  errors: { ...CHANGE, CONFIRMATION_REQUIRED: {}, INVALID_AMOUNT: {}, ...POSTING },
})

export const listGrants = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/grants',
  summary: 'List bonuses, corrections and credit limits',
  description: 'Newest first.',
  role: 'viewer',
  input: z.object({
    state: z.enum(['waiting', 'decided']).optional(),
    personId: personId.optional(),
    search: z
      .string()
      .max(100)
      .optional()
      .describe(
        'In the reason, the operators, and the name and email of the person or the name and clientId of the app.',
      ),
    ...page,
  }),
  answer: z.object({
    grants: z.array(
      z.object({
        id: z.string(),
        kind: listedKind,
        amount: shape.money
          .nullable()
          .describe('Of a credit limit: by how much it is raised; null: it becomes unlimited.'),
        currency: shape.currency,
        reason: z.string(),
        status,
        person: z
          .object({
            id: z.string(),
            name: z.string().nullable().describe('null, as the e-mail: the account is deleted.'),
            email: z.string().nullable(),
          })
          .nullable()
          .describe('null: it is about a client app.'),
        clientApp: z
          .object({
            clientId: z.string(),
            name: z.string(),
            creditLimit: shape.money
              .nullable()
              .describe('What the limit becomes; null: unlimited.'),
          })
          .nullable()
          .describe('Only of a credit limit.'),
        proposedBy: z.string(),
        proposedAt: shape.timestamp,
        secondOperator: z.string().nullable().describe('Who approved or rejected it.'),
        decidedAt: shape.timestamp.nullable(),
        declinedBecause: z.string().nullable(),
        refusal: z.string().nullable().describe('Why the wallet could not take it.'),
        hindrance: z
          .enum(['role', 'own', 'related', 'proposer_inactive', 'person_gone'])
          .nullable()
          .describe('Why you cannot approve it; null: you can, or it does not wait.'),
        sharedWith: z
          .string()
          .nullable()
          .describe('With related: who could act both as you and as the proposer.'),
        approvers,
      }),
    ),
    nextCursor,
  }),
  errors: ANY_ADMIN_GET,
})

export const approveGrant = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/grants/approve',
  summary: 'Approve a grant',
  description:
    'By a second operator: not the proposer, nor anybody behind whom the same person could stand.',
  role: 'operator',
  isDangerous: true,
  input: z.object({ id: grantId }),
  answer: outcome,
  errors: {
    ...CHANGE,
    CONFIRMATION_REQUIRED: {},
    SECOND_OPERATOR_REQUIRED: {},
    GRANT_DECIDED: {},
    GRANT_LAPSED: {},
    ...POSTING,
  },
})

export const declineGrant = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/grants/decline',
  summary: 'Decline a grant',
  description: 'Whoever proposed it withdraws it; anybody else rejects it.',
  role: 'operator',
  input: z.object({ id: grantId, reason: shape.reason }),
  answer: nothing,
  errors: { ...CHANGE, GRANT_DECIDED: {} },
})
