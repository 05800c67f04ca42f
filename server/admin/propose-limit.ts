/**
 * A credit limit is money that a client app can create, so granting or raising one follows the rule for bonuses and
 * corrections. Everything happens in the caller's transaction, under LOCK_GRANTS: the request, its audit entry and, if
 * nobody else has to approve, the limit itself. There is no state in between that somebody would have to finish.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { changeCreditLimit } from '../ledger/change-credit-limit.ts'
import { ServiceError } from '../service-error.ts'
import type { AdminCall } from './access.ts'
import { describeLimit } from './grants/describe-grant.ts'
import { findSameLimit, insertLimit, type NewLimit } from './limit-queries.ts'
import { readOperators } from './read-operators.ts'
import { requiresSecondOperator } from './require-second-operator.ts'

type Tools = Pick<Context, 'config'>
type Caller = Pick<AdminCall, 'operator' | 'record'>

/** `to` null: unlimited. */
export interface Raise {
  from: bigint
  to: bigint | null
}

export interface LimitOutcome {
  creditLimitWaits: boolean
  /** Who can approve it, by email, if it waits. */
  approvers: string[]
}

export const IN_EFFECT: LimitOutcome = { creditLimitWaits: false, approvers: [] }

/** Whether a second operator must approve it; unlimited always does. */
export async function weighRaise(
  tx: pg.ClientBase,
  tools: Tools,
  { operator }: Pick<Caller, 'operator'>,
  { from, to }: Raise,
): Promise<boolean> {
  const amount = to === null ? 0n : to - from
  const isAbove = await requiresSecondOperator(tx, tools, operator.operatorId, amount)
  return to === null || isAbove
}

/** Sets the limit now, or writes a request that waits for a second operator. */
export async function writeRaise(
  tx: pg.ClientBase,
  { config }: Tools,
  { operator, record }: Caller,
  app: { id: bigint; clientId: string; account: number },
  raise: Raise & { needsSecond: boolean; reason: string },
): Promise<LimitOutcome> {
  const { from, to, needsSecond, reason } = raise
  const limit: NewLimit = {
    id: randomUUID(),
    client_app_id: app.id,
    credit_limit: to,
    amount: to === null ? null : to - from,
    reason,
    needs_second: needsSecond,
    proposed_by: operator.operatorId,
  }
  if (!needsSecond) {
    await tx.query(insertLimit(limit))
    const isSet = await changeCreditLimit(tx, app.account, raise)
    if (!isSet) throw new ServiceError('INVALID_REQUEST', 'creditLimit')
    return IN_EFFECT
  }
  const approvers = (await readOperators(tx)).approversFor(operator.operatorId)
  const same = await tx.query(findSameLimit(limit))
  if (same.rowCount === 0) {
    await tx.query(insertLimit(limit))
    const after = { ...describeLimit(limit, config.currency), needsSecondOperator: true }
    await record(tx, { action: 'grant.propose', subject: app.clientId, after })
  }
  return { creditLimitWaits: true, approvers }
}
