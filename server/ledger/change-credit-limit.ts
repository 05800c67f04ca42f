/**
 * Changes the credit limit of an account in the caller's transaction, so that the limit and the record of who approved
 * it change together or not at all. A limit is a setting and moves no money, so no batch is needed.
 */
import type pg from 'pg'
import { one, run } from '../database/statement.ts'
import { readAccount, setCreditLimit } from './account-queries.ts'

/** null: no limit. */
export async function readCreditLimit(tx: pg.ClientBase, account: number): Promise<bigint | null> {
  const found = await one(tx, readAccount(account))
  if (found === undefined) throw new Error(`Ledger account ${account} does not exist.`)
  return found.creditLimit
}

/**
 * Returns whether the limit was changed. `to` null removes the limit; add-credit-limit.ts gives an account without
 * one a limit. The account stays locked until the transaction ends, and the app's debits and credits wait, so make this
 * the last step.
 */
export async function changeCreditLimit(
  tx: pg.ClientBase,
  account: number,
  { from, to }: { from: bigint; to: bigint | null },
): Promise<boolean> {
  return (await run(tx, setCreditLimit(account, from, to))) === 1
}
