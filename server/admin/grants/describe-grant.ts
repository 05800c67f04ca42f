/** How the audit log names a grant. */
import { formatAmount, type Currency } from '@coffer/contract/money'
import type pg from 'pg'
import type { Context } from '../../context.ts'
import type { GrantRow, LimitGrantRow } from './queries.ts'
import { findLimitApp, type LimitAppRow } from '../limit-queries.ts'
import { subjectOf } from '../people/read-person.ts'

export async function describeGrant(
  tx: pg.ClientBase,
  { config }: Pick<Context, 'config'>,
  grant: GrantRow,
): Promise<{ subject: string; facts: Record<string, unknown> }> {
  if (grant.kind === 'credit_limit') {
    const { client_id: subject } = await requireLimitApp(tx, grant)
    return { subject, facts: describeLimit(grant, config.currency) }
  }
  const { id, kind, reason } = grant
  const amount = formatAmount(grant.amount, config.currency)
  const subject = subjectOf({ id: grant.service_user_id })
  return { subject, facts: { grant: id, kind, amount, reason } }
}

type Limit = Pick<LimitGrantRow, 'id' | 'credit_limit' | 'amount' | 'reason'>

export function describeLimit({ id, amount, reason, ...limit }: Limit, currency: Currency) {
  const creditLimit = formatLimit(limit.credit_limit, currency)
  const raise = amount === null ? {} : { amount: formatAmount(amount, currency) }
  return { grant: id, kind: 'credit_limit', ...raise, creditLimit, reason }
}

/** null: unlimited. */
export function formatLimit(limit: bigint | null, currency: Currency): string {
  return limit === null ? 'unlimited' : formatAmount(limit, currency)
}

export async function requireLimitApp(
  tx: pg.ClientBase,
  grant: Pick<LimitGrantRow, 'client_app_id'>,
): Promise<LimitAppRow> {
  const { rows } = await tx.query<LimitAppRow>(findLimitApp(grant.client_app_id))
  if (rows[0] === undefined) throw new Error('a grant names a client app that does not exist')
  return rows[0]
}
