/** People and their wallets in the admin area. */
import { z } from 'zod'
import {
  ANY_ADMIN_GET,
  ANY_ADMIN_POST,
  defineAdminEndpoint,
  nextCursor,
  nothing,
  operationKind,
  page,
} from './endpoint.ts'
import * as shape from '../shapes.ts'

const id = z.string().regex(/^\d{1,18}$/)

const listedPerson = z.object({
  id: z.string(),
  firstName: z
    .string()
    .nullable()
    .describe('null, like lastName and email, if the person was erased.'),
  lastName: z.string().nullable(),
  email: z.string().nullable(),
  balance: shape.money,
  isActive: z.boolean().describe('false: the wallet is frozen.'),
  createdAt: shape.timestamp,
})

export const listPeople = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/people',
  summary: 'List people',
  description: 'Newest first.',
  role: 'viewer',
  input: z.object({
    search: shape
      .text(0, 254)
      .optional()
      .describe(
        'The start of an email address, the start of a name, or a complete serviceUserId, also of a link that has ended.',
      ),
    state: z.literal('frozen').optional().describe('Only people whose wallet is frozen.'),
    ...page,
  }),
  response: z.object({ people: z.array(listedPerson), currency: shape.currency, nextCursor }),
  errors: ANY_ADMIN_GET,
})

export const readPerson = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/people/one',
  summary: 'Read a person',
  description: 'Returns the wallet, the linked client apps, the latest top-ups and the logins.',
  role: 'viewer',
  input: z.object({ id }),
  response: listedPerson.extend({
    isEmailVerified: z.boolean(),
    walletId: z.string(),
    debt: shape.money,
    held: shape.money.describe('What client apps hold; it is not part of the balance.'),
    holds: z
      .array(
        z.object({
          id: z.string(),
          clientId: z.string(),
          appName: z.string(),
          held: shape.money.describe('What is left of it.'),
          referenceType: z.string(),
          referenceId: z.string(),
          createdAt: shape.timestamp,
          expiresAt: shape.timestamp,
          isSuspended: z
            .boolean()
            .describe(
              'Whether a capture waits for an operator, because the person reported that somebody else used the account.',
            ),
        }),
      )
      .describe('The 100 newest open holds.'),
    currency: shape.currency,
    entries: z.number().describe('How many the history has, with those that are archived.'),
    archivedBefore: shape.day
      .nullable()
      .describe('Entries before this day are archived and not listed; null: none are.'),
    apps: z
      .array(
        z.object({
          clientId: z.string(),
          name: z.string(),
          serviceUserId: z.string(),
          linkedAt: shape.timestamp,
          endedAt: shape.timestamp.nullable().describe('null: linked now.'),
        }),
      )
      .describe('The 100 newest links, active ones first.'),
    topups: z
      .array(
        z.object({
          id: z.string(),
          state: z.enum(['open', 'credited', 'ended']),
          amount: shape.money,
          createdAt: shape.timestamp,
          isAutomatic: z.boolean().describe('Started by the service because the balance was low.'),
        }),
      )
      .describe('The 10 newest.'),
    logIns: z.number().describe('The number of active logins at /account.'),
    passkeys: z.number().describe('How many the person can log in with.'),
    lastSeenAt: shape.timestamp
      .nullable()
      .describe(
        'The last activity at /account, consent in a widget or start of a top-up; null: none is recorded.',
      ),
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

const historyFilter = {
  id,
  search: shape.search
    .optional()
    .describe(
      'Searches reference, description and app name. The id of an entry finds it and its refunds.',
    ),
  type: z.enum(['debit', 'credit']).optional(),
  kind: operationKind.optional(),
  clientId: shape.id.optional().describe('What this client app made.'),
  ...shape.days,
}

export const readPersonHistory = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/people/history',
  summary: 'Read the history of a wallet',
  description:
    'Returns all entries, newest first. A page can be empty and still have a next page, because a long history is searched in parts.',
  role: 'viewer',
  input: z.object({ ...historyFilter, ...page }),
  response: z.object({
    transactions: z.array(
      shape.ownTransaction.extend({
        kind: historyFilter.kind.unwrap(),
        debtChange: shape.money.describe('What it added to the debt; negative: what it paid off.'),
        appTransactionId: shape.transactionId
          .nullable()
          .describe('Its id as the client app sees it; null: no app made it.'),
        grant: z
          .object({
            reason: z.string(),
            proposedBy: z.string(),
            secondOperator: z.string().nullable().describe('Who approved it; null: nobody had to.'),
            charge: shape.transactionId
              .nullable()
              .describe('The entry of the debit that it gives back; null: it is about no debit.'),
          })
          .nullable()
          .describe(
            'Of a bonus or a correction: why and by whom it was made; null: no operator made it.',
          ),
      }),
    ),
    nextCursor,
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

/** Streams text/csv. */
export const exportPersonHistory = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/people/history.csv',
  summary: 'Export the history of a wallet',
  description: 'The same entries as a CSV file.',
  role: 'viewer',
  input: z.object(historyFilter),
  response: nothing,
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

const CHANGE = {
  ...ANY_ADMIN_POST,
  OPERATOR_FORBIDDEN: {},
  CONFIRMATION_REQUIRED: {},
  NOT_FOUND: {},
} as const

export const freezeWallet = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/people/freeze',
  summary: 'Freeze or unfreeze a wallet',
  description:
    'A frozen wallet rejects debits and new top-ups. It accepts credits and payments that were already started.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ id, isFrozen: z.boolean(), reason: shape.reason }),
  response: nothing,
  errors: CHANGE,
})

export const allowHold = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/people/allow-hold',
  summary: 'Allow the capture of a suspended hold',
  description: 'Has no effect on a hold that is not suspended, or that has ended.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ id, hold: z.string().regex(/^[0-9a-f]{32}$/), reason: shape.reason }),
  response: nothing,
  errors: CHANGE,
})

export const erasePerson = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/people/erase',
  summary: 'Erase a person',
  description:
    'Rejected while there is a balance, a held amount or a debt. Deletes the personal data; the ledger keeps its entries. Waits a few seconds for pending payments.',
  role: 'owner',
  needsConfirmation: true,
  // It waits seven seconds for payments in progress.
  deadlineMs: 14_000,
  input: z.object({ id, reason: shape.reason }),
  response: nothing,
  errors: {
    ...CHANGE,
    ACCOUNT_NOT_EMPTY: {},
    PAYMENT_PROVIDER_ERROR: {},
    OUTCOME_UNKNOWN: {
      text: 'It is not known yet whether the person is erased. Read the person in a minute to find out.',
    },
  },
})
