import type pg from 'pg'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, one, run } from '../../database/statement.ts'
import { ServiceError, WritesPaused } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { readOperators } from '../read-operators.ts'
import { LOCK_GRANTS, lockGrantingOperators } from '../second-operator-queries.ts'
import { notifyContacts, type ContactNotice } from '../../mail/notify-contacts.ts'
import { approveAppChange } from './approve-app-change.ts'
import { approveLimit } from './approve-limit.ts'
import { describeGrant } from './describe-grant.ts'
import { showOutcome, type GrantOutcome, type GrantTools } from './post-grant.ts'
import { lockPerson, setApproved, type Grant, type MoneyGrant } from './queries.ts'
import { requireGrant } from './require-grant.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** Of two concurrent decisions the first to lock the grant wins; the other gets GRANT_DECIDED. */
export async function approveGrant(
  tools: GrantTools & Pick<Context, 'mailer'>,
  call: Caller,
  { id }: { id: string },
): Promise<GrantOutcome> {
  const { operatorId } = call.operator
  const pause = await tools.ledger.readPause()
  const news: ContactNotice[] = []
  const grant = await inTransaction(tools.db, async (tx) => {
    // A credit limit must not change while another transaction checks or sets it.
    await run(tx, LOCK_GRANTS)
    const known = await requireGrant(tx, id)
    const movesMoney = known.kind !== 'credit_limit' && known.kind !== 'app_change'
    // Checked before the decision: a decided grant would be posted as soon as writes resume.
    if (known.status === 'open' && movesMoney && pause) throw new WritesPaused()
    if (known.status === 'open') return approve(tx, { ...tools, news }, call, known)
    const isOwn = known.secondOperatorId === operatorId && known.status !== 'rejected'
    if (!isOwn) throw new ServiceError('GRANT_DECIDED')
    return known
  })
  for (const { app, contacts, changes } of news) notifyContacts(tools, app, contacts, changes)
  return showOutcome(tools, call, grant)
}

async function approve(
  tx: pg.ClientBase,
  tools: Pick<Context, 'config'> & { news: ContactNotice[] },
  call: Caller,
  grant: Grant,
): Promise<Grant> {
  const { operatorId } = call.operator
  const { proposerId } = grant
  const givers = await many(tx, lockGrantingOperators([operatorId, proposerId]))
  // The operator may have lost the role while this transaction waited for the lock.
  if (!givers.includes(operatorId)) throw new ServiceError('OPERATOR_FORBIDDEN')
  const operators = await readOperators(tx)
  if (operators.findShared(operatorId, proposerId) !== undefined) {
    throw new ServiceError('SECOND_OPERATOR_REQUIRED')
  }
  if (!givers.includes(proposerId)) throw new ServiceError('GRANT_LAPSED')
  const proposedBy = operators.emailOf(proposerId)
  if (grant.kind === 'credit_limit') return approveLimit(tx, tools, call, grant, proposedBy)
  if (grant.kind === 'app_change') return approveAppChange(tx, tools, call, grant, proposedBy)
  return approveMoney(tx, tools, call, grant, proposedBy)
}

async function approveMoney(
  tx: pg.ClientBase,
  tools: Pick<Context, 'config'>,
  { operator, record }: Caller,
  grant: MoneyGrant,
  proposedBy: string,
): Promise<MoneyGrant> {
  const person = await one(tx, lockPerson(grant.userId))
  if (person === undefined) throw new ServiceError('GRANT_LAPSED')
  const approved = await one(tx, setApproved(grant.id, operator.operatorId))
  if (approved === undefined) throw new Error('a locked grant was decided by another transaction')
  const { subject, facts } = await describeGrant(tx, tools, grant)
  await record(tx, {
    action: 'grant.approve',
    subject,
    before: { status: 'open' },
    after: { ...facts, proposedBy, status: 'approved', approvedBy: operator.email },
  })
  return approved
}
