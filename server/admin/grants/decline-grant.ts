import { inTransaction } from '../../database/in-transaction.ts'
import { run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { readOperators } from '../read-operators.ts'
import { describeGrant } from './describe-grant.ts'
import type { GrantTools } from './post-grant.ts'
import { setDeclined, type Grant } from './queries.ts'
import { requireGrant } from './require-grant.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** The proposer withdraws the request, any other operator rejects it. Related operators may reject it too. */
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
    const isOwn = grant.proposerId === operatorId
    const status = isOwn ? 'withdrawn' : 'rejected'
    if (isRepeat(grant, status, operatorId)) return
    if (grant.status !== 'open') throw new ServiceError('GRANT_DECIDED')
    await run(tx, setDeclined(id, isOwn ? null : operatorId, because))
    const { subject, facts } = await describeGrant(tx, { config }, grant)
    const proposedBy = (await readOperators(tx)).emailOf(grant.proposerId)
    await record(tx, {
      action: isOwn ? 'grant.withdraw' : 'grant.reject',
      subject,
      before: { status: 'open' },
      after: { ...facts, proposedBy, status, because },
    })
  })
}

function isRepeat(grant: Grant, status: string, operatorId: bigint): boolean {
  return grant.status === status && (grant.secondOperatorId ?? grant.proposerId) === operatorId
}
