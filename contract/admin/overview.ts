/** The overview of the admin area. */
import { z } from 'zod'
import { CHECKS } from '../checks.ts'
import { ANY_ADMIN_GET, defineAdminEndpoint } from './endpoint.ts'
import * as shape from '../shapes.ts'

const movement = z.object({
  count: z.number(),
  amount: shape.money.describe('Major units, without a sign.'),
})

const compared = z.object({
  debits: shape.money,
  credits: shape.money,
  topups: shape.money,
  requests: z.number().nullable().describe('null: not kept for so long.'),
  refused: z.number().nullable(),
})

export const readOverview = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/overview',
  summary: 'Read the overview',
  description:
    'Returns payments, responses and liabilities up to this moment, per UTC hour for 24h and per UTC day for longer periods. The last hour or day is incomplete.',
  role: 'viewer',
  input: z.object({ period: z.enum(['24h', '7d', '30d', '90d']) }),
  response: z.object({
    currency: shape.currency,
    step: z.enum(['hour', 'day']),
    walletsTotal: shape.money.describe('What all wallets have now, including what holds reserve.'),
    debt: shape.money.describe(
      'The total debt of all people: what seizures took beyond the balances.',
    ),
    unclaimed: shape.money.describe('What arrived in wallets of deleted accounts.'),
    slots: z
      .array(
        z.object({
          at: shape.timestamp,
          debits: movement,
          credits: movement,
          topups: movement,
          topupsBegun: z.number(),
          topupsPaid: z
            .number()
            .describe('Of the top-ups that started in this interval: how many were paid.'),
          topupsEnded: z
            .number()
            .describe(
              'Of the top-ups that started in this interval: how many were cancelled or abandoned.',
            ),
          requests: z.number(),
          failed: z.number().describe('Responses with 5xx.'),
          p50Ms: z.number().nullable(),
          p99Ms: z.number().nullable(),
        }),
      )
      .describe('Oldest first, without gaps.'),
    comparison: z
      .object({
        now: compared,
        before: compared.describe('As many hours, one period earlier.'),
      })
      .describe('The complete hours of the period.'),
    todo: z
      .object({
        approvals: z.number(),
        disputes: z.number().describe('Disputes that can still be answered.'),
        frozenWallets: z.number(),
        webhookApps: z
          .array(z.object({ clientId: z.string(), name: z.string() }))
          .describe('At most 3 active client apps with webhooks that fail or were disabled.'),
        moreWebhookApps: z.number().describe('Such client apps that are not listed.'),
      })
      .describe('What waits for an operator now.'),
    others: z
      .array(movement.extend({ kind: z.string() }))
      .describe(
        'What moved beside debits, credits and top-ups: bonuses, refunds, disputes, corrections.',
      ),
    refusals: z.array(z.object({ code: z.string(), count: z.number() })).describe('Most first.'),
    settlements: z
      .array(
        z.object({
          clientId: z.string(),
          name: z.string(),
          debits: movement,
          credits: movement,
          settlement: shape.money.describe(
            'Now. What the platform owes the app; negative: what the app owes.',
          ),
        }),
      )
      .describe('At most 20 client apps, the largest settlements first.'),
    moreApps: z.number().describe('Client apps with a settlement that are not listed.'),
    checks: z
      .array(
        z.object({
          name: z.enum(CHECKS),
          isOk: z.boolean(),
          finishedAt: shape.timestamp,
          summary: z.string(),
        }),
      )
      .describe('The last result of each check that timers run, for those that ran.'),
    books: z.object({
      isVerifierEnabled: z.boolean().describe('Whether the continuous verifier is enabled.'),
      balancedAt: shape.timestamp.nullable().describe('When the trial balance was last correct.'),
      operations: z.number().nullable().describe('How many operations it included.'),
      verifiedAt: shape.timestamp
        .nullable()
        .describe('When the last complete verification that found no fault began.'),
      verifiedOperations: z.number().nullable(),
      verifiedSoFar: z
        .number()
        .nullable()
        .describe(
          'How many operations the current verification has checked; null if none is in progress.',
        ),
      fault: z.string().nullable().describe('The first bad row.'),
      faultAt: shape.timestamp.nullable(),
    }),
  }),
  errors: ANY_ADMIN_GET,
})
