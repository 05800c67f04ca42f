import type pg from 'pg'
import type { Context } from '../../context.ts'
import { one } from '../../database/statement.ts'
import { changeCreditLimit, readCreditLimit } from '../../ledger/change-credit-limit.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { describeLimit, formatLimit } from '../describe-limit.ts'
import type { ContactNotice } from '../../mail/notify-contacts.ts'
import { requireLimitApp } from './describe-grant.ts'
import { setLimitApproved, type LimitGrant } from './queries.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** The decision, its audit entry and the new limit are one transaction, which holds LOCK_GRANTS. */
export async function approveLimit(
  tx: pg.ClientBase,
  { config, news }: Pick<Context, 'config'> & { news: ContactNotice[] },
  { operator, record }: Caller,
  grant: LimitGrant,
  proposedBy: string,
): Promise<LimitGrant> {
  const { currency } = config
  const app = await requireLimitApp(tx, grant)
  const { clientId, ledgerAccount } = app
  const from = await readCreditLimit(tx, ledgerAccount)
  const to = grant.creditLimit
  // Another request raised the limit in the meantime: this one would lower it.
  if (from === null || (to !== null && to <= from)) throw new ServiceError('GRANT_LAPSED')
  const approved = await one(tx, setLimitApproved(grant.id, operator.operatorId))
  if (approved === undefined) throw new Error('a locked grant was decided by another transaction')
  const facts = { ...describeLimit(grant, currency), proposedBy }
  await record(tx, {
    action: 'grant.approve',
    subject: clientId,
    before: { status: 'open', creditLimit: formatLimit(from, currency) },
    after: { ...facts, status: 'approved', approvedBy: operator.email },
  })
  const isSet = await changeCreditLimit(tx, ledgerAccount, { from, to })
  if (!isSet) throw new ServiceError('GRANT_LAPSED')
  const changes = [`New credit limit: ${formatLimit(to, currency)}`]
  news.push({ app, contacts: app.contactEmails, changes })
  return approved
}
