import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { WritesPaused } from '../../ledger/writes-paused.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { holdGivers, holdPerson, lockGrant, setApproved, type GrantRow } from './queries.ts'
import { showOutcome, type GrantOutcome, type GrantTools } from './post-grant.ts'
import { readOperators } from '../read-operators.ts'
import { subjectOf } from '../people/read-person.ts'

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
    const known = await requireGrant(tx, id)
    // Before it is decided: what is decided would be posted when writes go on.
    if (known.status === 'open' && pause) throw new WritesPaused()
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
  { config }: Pick<Context, 'config'>,
  { operator, record }: Caller,
  grant: GrantRow,
): Promise<GrantRow> {
  const { operatorId } = operator
  const { proposed_by: proposer, service_user_id: userId } = grant
  const { rows } = await tx.query<{ id: bigint }>(holdGivers([operatorId, proposer]))
  const mayGive = (id: bigint) => rows.some((each) => each.id === id)
  // The role may have been lost while this waited.
  if (!mayGive(operatorId)) throw new ServiceError('OPERATOR_FORBIDDEN')
  const operators = await readOperators(tx)
  if (operators.findShared(operatorId, proposer) !== undefined) {
    throw new ServiceError('SECOND_OPERATOR_REQUIRED')
  }
  const person = await tx.query(holdPerson(userId))
  if (!mayGive(proposer) || person.rowCount === 0) throw new ServiceError('GRANT_LAPSED')
  const [approved] = (await tx.query<GrantRow>(setApproved(grant.id, operatorId))).rows
  if (approved === undefined) throw new Error('a grant that is held was decided by somebody else')
  const { id, kind, reason } = grant
  const amount = formatAmount(grant.amount, config.currency)
  const proposedBy = operators.emailOf(proposer)
  await record(tx, {
    action: 'grant.approve',
    subject: subjectOf({ id: userId }),
    before: { status: 'open' },
    after: {
      grant: id,
      kind,
      amount,
      reason,
      proposedBy,
      status: 'approved',
      approvedBy: operator.email,
    },
  })
  return approved
}
