import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { requireGrant } from './approve-grant.ts'
import { describeGrant } from './describe-grant.ts'
import { setDeclined, type GrantRow } from './queries.ts'
import type { GrantTools } from './post-grant.ts'
import { readOperators } from '../read-operators.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** Whoever proposed it withdraws it, anybody else rejects it: to say no takes no stranger. */
export async function declineGrant(
  { db, config }: Pick<GrantTools, 'db' | 'config'>,
  { operator, record }: Caller,
  input: { id: string; reason: string },
): Promise<void> {
  const { id } = input
  const because = input.reason.trim()
  const { operatorId } = operator
  await inTransaction(db, async (tx) => {
    const grant = await requireGrant(tx, id)
    const isOwn = grant.proposed_by === operatorId
    const status = isOwn ? 'withdrawn' : 'rejected'
    if (isRepeat(grant, status, operatorId)) return
    if (grant.status !== 'open') throw new ServiceError('GRANT_DECIDED')
    await tx.query(setDeclined(id, isOwn ? null : operatorId, because))
    const { subject, facts } = await describeGrant(tx, { config }, grant)
    const proposedBy = (await readOperators(tx)).emailOf(grant.proposed_by)
    await record(tx, {
      action: isOwn ? 'grant.withdraw' : 'grant.reject',
      subject,
      before: { status: 'open' },
      after: { ...facts, proposedBy, status, because },
    })
  })
}

function isRepeat(grant: GrantRow, status: string, operatorId: bigint): boolean {
  return grant.status === status && (grant.second_operator ?? grant.proposed_by) === operatorId
}
