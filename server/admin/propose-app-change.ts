/** A change to a client app in use that waits for a second operator. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import type { AdminCall } from './access.ts'
import type { AppChange } from './app-change.ts'
import { findSameChange, insertAppChange, type NewAppChange } from './app-change-queries.ts'
import { readOperators } from './read-operators.ts'
import { lockGrantingOperators } from './second-operator-queries.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** Run LOCK_GRANTS first. Returns the emails of the operators who can approve it. Proposing it again changes nothing. */
export async function proposeAppChange(
  tx: pg.ClientBase,
  { operator, record }: Caller,
  app: { id: bigint; clientId: string },
  change: AppChange,
): Promise<string[]> {
  const { operatorId } = operator
  // The operator may have lost the role while this transaction waited for the lock.
  const giver = await one(tx, lockGrantingOperators([operatorId]))
  if (giver === undefined) throw new ServiceError('OPERATOR_FORBIDDEN')
  const proposal: NewAppChange = {
    id: randomUUID(),
    clientAppId: app.id,
    change,
    reason: nameReason(change),
    proposerId: operatorId,
  }
  const same = await one(tx, findSameChange(proposal))
  if (same === undefined) {
    await run(tx, insertAppChange(proposal))
    const after = { grant: proposal.id, kind: 'app_change', change, needsSecondOperator: true }
    await record(tx, { action: 'grant.propose', subject: app.clientId, after })
  }
  return (await readOperators(tx)).approversFor(operatorId)
}

function nameReason({ rotation, webhookUrl }: AppChange): string {
  if (rotation) return 'Rotation of the secret'
  return webhookUrl === undefined ? 'Change of the client app' : 'New URL of a webhook'
}
