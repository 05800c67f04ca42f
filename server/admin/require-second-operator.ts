import type pg from 'pg'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { readOperators } from './read-operators.ts'
import { lockGrantingOperators, sumWithoutSecond } from './second-operator-queries.ts'

/**
 * Whether this amount takes the sum of the last 24 hours, over every operator who could be the same person, above what
 * one person may give alone. Run LOCK_GRANTS first and write the grant in the same transaction, so that no concurrent
 * grant reads the same sum.
 */
export async function requiresSecondOperator(
  tx: pg.ClientBase,
  { config }: Pick<Context, 'config'>,
  operatorId: bigint,
  amountMinor: bigint,
): Promise<boolean> {
  // The operator may have lost the role while this transaction waited for the lock.
  const giver = await one(tx, lockGrantingOperators([operatorId]))
  if (giver === undefined) throw new ServiceError('OPERATOR_FORBIDDEN')
  return amountMinor > (await readAmountLeft(tx, { config }, operatorId))
}

/** The amount that this operator can still grant alone. Without LOCK_GRANTS, it is an estimate. */
export async function readAmountLeft(
  tx: pg.ClientBase | pg.Pool,
  { config }: Pick<Context, 'config'>,
  operatorId: bigint,
): Promise<bigint> {
  const aliases = (await readOperators(tx)).possibleAliasesOf(operatorId)
  const spentMinor = (await one(tx, sumWithoutSecond(aliases))) ?? 0n
  return config.secondOperatorAboveMinor - spentMinor
}
