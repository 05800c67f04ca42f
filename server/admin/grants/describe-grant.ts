/** How the audit log describes a grant. */
import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { Context } from '../../context.ts'
import { one } from '../../database/statement.ts'
import { describeLimit } from '../describe-limit.ts'
import { personSubject } from '../record-people.ts'
import {
  findLimitApp,
  type AppChangeGrant,
  type Grant,
  type LimitApp,
  type LimitGrant,
} from './queries.ts'

export async function describeGrant(
  tx: pg.ClientBase,
  { config }: Pick<Context, 'config'>,
  grant: Grant,
): Promise<{ subject: string; facts: Record<string, unknown> }> {
  if (grant.kind === 'credit_limit') {
    const { clientId: subject } = await requireLimitApp(tx, grant)
    return { subject, facts: describeLimit(grant, config.currency) }
  }
  if (grant.kind === 'app_change') {
    const { clientId: subject } = await requireLimitApp(tx, grant)
    return { subject, facts: describeAppChange(grant) }
  }
  const { id, kind, reason } = grant
  const amount = formatAmount(grant.amount, config.currency)
  const hold = grant.hold === null ? {} : { hold: grant.hold }
  const facts = { grant: id, kind, amount, reason, ...hold }
  return { subject: personSubject(grant.userId), facts }
}

export function describeAppChange({ id, kind, change, reason }: AppChangeGrant) {
  return { grant: id, kind, change, reason }
}

export async function requireLimitApp(
  tx: pg.ClientBase,
  { clientAppId }: Pick<LimitGrant, 'clientAppId'>,
): Promise<LimitApp> {
  const app = await one(tx, findLimitApp(clientAppId))
  if (app === undefined) throw new Error('a grant refers to a client app that does not exist')
  return app
}
