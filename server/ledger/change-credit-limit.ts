/**
 * The credit limit of an account, in the caller's transaction: the limit and the record of who allowed it change
 * together or not at all. It is a setting and moves no money, so no batch is needed.
 */
import type pg from 'pg'
import { readAccount, setCreditLimit, type AccountRow } from './account-queries.ts'

/** null: no limit. */
export async function readCreditLimit(tx: pg.ClientBase, account: number): Promise<bigint | null> {
  const { rows } = await tx.query<AccountRow>(readAccount(account))
  if (rows[0] === undefined) throw new Error('there is no such account')
  return rows[0].credit_limit
}

/**
 * Returns whether it was changed. `to` null removes the limit for good: an account without a limit cannot get one.
 * The account stays locked until the transaction ends, and the app's debits and credits wait, so make it the last step.
 */
export async function changeCreditLimit(
  tx: pg.ClientBase,
  account: number,
  { from, to }: { from: bigint; to: bigint | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(setCreditLimit(account, from, to))
  return rowCount === 1
}
