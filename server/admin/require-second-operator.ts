import type pg from 'pg'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { readOperators } from './read-operators.ts'
import { lockGivers, sumWithoutSecond } from './second-operator-queries.ts'

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
  const giver = await one(tx, lockGivers([operatorId]))
  if (giver === undefined) throw new ServiceError('OPERATOR_FORBIDDEN')
  const relatives = (await readOperators(tx)).relativesOf(operatorId)
  const spentMinor = (await one(tx, sumWithoutSecond(relatives))) ?? 0n
  return spentMinor + amountMinor > config.secondOperatorAboveMinor
}
