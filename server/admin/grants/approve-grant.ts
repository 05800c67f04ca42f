import type pg from 'pg'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { WritesPaused } from '../../ledger/writes-paused.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { approveLimit } from './approve-limit.ts'
import { describeGrant } from './describe-grant.ts'
import {
  holdGivers,
  holdPerson,
  LOCK_GRANTS,
  lockGrant,
  setApproved,
  type GrantRow,
  type MoneyGrantRow,
} from './queries.ts'
import { showOutcome, type GrantOutcome, type GrantTools } from './post-grant.ts'
import { readOperators } from '../read-operators.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** Of two who decide at once, the first one to hold the grant does; the other hears that it is decided. */
export async function approveGrant(
  tools: GrantTools,
  call: Caller,
  { id }: { id: string },
): Promise<GrantOutcome> {
  const { operatorId } = call.operator
  const pause = await tools.ledger.readPause()
  const grant = await inTransaction(tools.db, async (tx) => {
    // A credit limit must not change while somebody weighs or sets it.
    await tx.query(LOCK_GRANTS)
    const known = await requireGrant(tx, id)
    const movesMoney = known.kind !== 'credit_limit'
    // Before it is decided: what is decided would be posted when writes go on.
    if (known.status === 'open' && movesMoney && pause) throw new WritesPaused()
    if (known.status === 'open') return approve(tx, tools, call, known)
    const isOwn = known.second_operator === operatorId && known.status !== 'rejected'
    if (!isOwn) throw new ServiceError('GRANT_DECIDED')
    return known
  })
  return showOutcome(tools, call, grant)
}

export async function requireGrant(tx: pg.ClientBase, id: string): Promise<GrantRow> {
  const { rows } = await tx.query<GrantRow>(lockGrant(id))
  if (rows[0] === undefined) throw new ServiceError('NOT_FOUND')
  return rows[0]
}

async function approve(
  tx: pg.ClientBase,
  tools: Pick<Context, 'config'>,
  call: Caller,
  grant: GrantRow,
): Promise<GrantRow> {
  const { operatorId } = call.operator
  const { proposed_by: proposer } = grant
  const { rows } = await tx.query<{ id: bigint }>(holdGivers([operatorId, proposer]))
  const mayGive = (id: bigint) => rows.some((each) => each.id === id)
  // The role may have been lost while this waited.
  if (!mayGive(operatorId)) throw new ServiceError('OPERATOR_FORBIDDEN')
  const operators = await readOperators(tx)
  if (operators.findShared(operatorId, proposer) !== undefined) {
    throw new ServiceError('SECOND_OPERATOR_REQUIRED')
  }
  if (!mayGive(proposer)) throw new ServiceError('GRANT_LAPSED')
  const proposedBy = operators.emailOf(proposer)
  return grant.kind === 'credit_limit'
    ? approveLimit(tx, tools, call, grant, proposedBy)
    : approveMoney(tx, tools, call, grant, proposedBy)
}

async function approveMoney(
  tx: pg.ClientBase,
  tools: Pick<Context, 'config'>,
  { operator, record }: Caller,
  grant: MoneyGrantRow,
  proposedBy: string,
): Promise<GrantRow> {
  const person = await tx.query(holdPerson(grant.service_user_id))
  if (person.rowCount === 0) throw new ServiceError('GRANT_LAPSED')
  const [approved] = (await tx.query<GrantRow>(setApproved(grant.id, operator.operatorId))).rows
  if (approved === undefined) throw new Error('a grant that is held was decided by somebody else')
  const { subject, facts } = await describeGrant(tx, tools, grant)
  await record(tx, {
    action: 'grant.approve',
    subject,
    before: { status: 'open' },
    after: { ...facts, proposedBy, status: 'approved', approvedBy: operator.email },
  })
  return approved
}
