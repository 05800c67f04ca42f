/**
 * A credit limit is money that a client app can create, so granting or raising one follows the rule for bonuses and
 * corrections. Everything happens in the caller's transaction, after LOCK_GRANTS: the request, its audit entry and, if
 * no second operator has to approve, the limit itself. There is no intermediate state that would have to be finished.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { one, run } from '../database/statement.ts'
import { changeCreditLimit } from '../ledger/change-credit-limit.ts'
import { ServiceError } from '../service-error.ts'
import type { AdminCall } from './access.ts'
import { describeLimit } from './describe-limit.ts'
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
  /** The emails of the operators who can approve it, if it waits. */
  approvers: string[]
}

export const IN_EFFECT: LimitOutcome = { creditLimitWaits: false, approvers: [] }

/** Whether a second operator must approve the raise; a raise to unlimited always needs one. */
export async function raiseNeedsSecond(
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
export async function raiseOrPropose(
  tx: pg.ClientBase,
  { config }: Tools,
  { operator, record }: Caller,
  app: { id: bigint; clientId: string; ledgerAccount: number },
  raise: Raise & { needsSecond: boolean; reason: string },
): Promise<LimitOutcome> {
  const { from, to, needsSecond, reason } = raise
  const limit: NewLimit = {
    id: randomUUID(),
    clientAppId: app.id,
    creditLimit: to,
    amount: to === null ? null : to - from,
    reason,
    needsSecond,
    proposerId: operator.operatorId,
  }
  if (!needsSecond) {
    await run(tx, insertLimit(limit))
    const isSet = await changeCreditLimit(tx, app.ledgerAccount, raise)
    if (!isSet) throw new ServiceError('INVALID_REQUEST', 'creditLimit')
    return IN_EFFECT
  }
  const approvers = (await readOperators(tx)).approversFor(operator.operatorId)
  const same = await one(tx, findSameLimit(limit))
  if (same === undefined) {
    await run(tx, insertLimit(limit))
    const after = { ...describeLimit(limit, config.currency), needsSecondOperator: true }
    await record(tx, { action: 'grant.propose', subject: app.clientId, after })
  }
  return { creditLimitWaits: true, approvers }
}
