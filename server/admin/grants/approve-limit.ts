import type pg from 'pg'
import type { Context } from '../../context.ts'
import { changeCreditLimit, readCreditLimit } from '../../ledger/change-credit-limit.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { describeLimit, formatLimit, requireLimitApp } from './describe-grant.ts'
import type { GrantRow, LimitGrantRow } from './queries.ts'
import { setLimitApproved } from '../limit-queries.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** The decision, its audit entry and the new limit are one transaction, which runs under LOCK_GRANTS. */
export async function approveLimit(
  tx: pg.ClientBase,
  { config }: Pick<Context, 'config'>,
  { operator, record }: Caller,
  grant: LimitGrantRow,
  proposedBy: string,
): Promise<GrantRow> {
  const { currency } = config
  const app = await requireLimitApp(tx, grant)
  const account = Number(app.account_id)
  const from = await readCreditLimit(tx, account)
  const to = grant.credit_limit
  // Another request raised the limit in the meantime: this one would lower it.
  if (from === null || (to !== null && to <= from)) throw new ServiceError('GRANT_LAPSED')
  const { rows } = await tx.query<GrantRow>(setLimitApproved(grant.id, operator.operatorId))
  if (rows[0] === undefined) throw new Error('a grant that is held was decided by somebody else')
  const facts = { ...describeLimit(grant, currency), proposedBy }
  await record(tx, {
    action: 'grant.approve',
    subject: app.client_id,
    before: { status: 'open', creditLimit: formatLimit(from, currency) },
    after: { ...facts, status: 'approved', approvedBy: operator.email },
  })
  const isSet = await changeCreditLimit(tx, account, { from, to })
  if (!isSet) throw new ServiceError('GRANT_LAPSED')
  return rows[0]
}
