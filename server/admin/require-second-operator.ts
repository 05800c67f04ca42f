import type pg from 'pg'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { holdGivers, sumWithoutSecond } from './grants/queries.ts'
import { readOperators } from './read-operators.ts'

/**
 * Whether this amount takes the sum of 24 hours, over everybody related to the operator, above what one person may give
 * alone. Call it under LOCK_GRANTS and write the grant in the same transaction: then no sum is counted twice at once.
 */
export async function requiresSecondOperator(
  tx: pg.ClientBase,
  { config }: Pick<Context, 'config'>,
  operatorId: bigint,
  amountMinor: bigint,
): Promise<boolean> {
  // The role may have been lost while this waited.
  const givers = await tx.query(holdGivers([operatorId]))
  if (givers.rowCount === 0) throw new ServiceError('OPERATOR_FORBIDDEN')
  const relatives = (await readOperators(tx)).relativesOf(operatorId)
  const [spent] = (await tx.query<{ sum: bigint }>(sumWithoutSecond(relatives))).rows
  return (spent?.sum ?? 0n) + amountMinor > config.secondOperatorAboveMinor
}
