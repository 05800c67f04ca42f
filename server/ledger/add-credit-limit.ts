/**
 * Gives a ledger account without a credit limit a limit, while batches of any number of processes post to it.
 *
 * 1. The account starts to keep a running balance, from 0. A batch adds its change if it sees the balance when it
 *    writes.
 * 2. It waits for the batches that may have written without seeing it. From then on, every batch adds its change to the
 *    balance and writes its operations in the same transaction, so what the balance lacks is constant.
 * 3. One statement reads what the balance lacks: the sum of all operations minus the balance.
 * 4. One update adds that amount and sets the limit.
 *
 * Until step 4 the account has no limit, and nobody else reads its balance. After a crash at any step, start again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { one, run } from '../database/statement.ts'
import * as query from './account-queries.ts'

const CHECK_MS = 20
/** Batches take milliseconds; only a transaction that somebody left open takes longer. */
const ENDED_WITHIN_MS = 60_000

interface AddOptions {
  /** Runs in the transaction that sets the limit, to record who did it. */
  record: (tx: pg.ClientBase) => Promise<void>
}

/** Returns the account's balance; undefined if it owes more than the limit, and then it still has no limit. */
export async function addCreditLimit(
  client: pg.ClientBase,
  account: number,
  limit: bigint,
  { record }: AddOptions,
): Promise<bigint | undefined> {
  if (!(await one(client, query.LOCK_FIRST_LIMIT))) {
    throw new Error('Another process is giving a client app a credit limit. Try again later.')
  }
  await run(client, query.startBalance(account))
  await waitForBatches(client)
  await run(client, query.BEGIN_SUM)
  const missing = await one(client, query.readMissingAmount(account))
  await run(client, query.COMMIT)
  if (missing === undefined) throw new Error(`Ledger account ${account} does not exist.`)
  await run(client, query.BEGIN)
  await record(client)
  const balance = await one(client, query.setFirstLimit(account, missing, limit))
  await run(client, balance === undefined ? query.ROLLBACK : query.COMMIT)
  if (balance === undefined) await run(client, query.endBalance(account))
  await run(client, query.UNLOCK_FIRST_LIMIT)
  return balance
}

/** Waits until every transaction that is writing now has ended. */
async function waitForBatches(client: pg.ClientBase) {
  const next = (await one(client, query.READ_NEXT_TRANSACTION)) as string
  const untilMs = performance.now() + ENDED_WITHIN_MS
  while (!(await one(client, query.haveEnded(next)))) {
    if (performance.now() > untilMs) {
      throw new Error(
        'A transaction has been open for a minute. End it (see pg_stat_activity), then try again.',
      )
    }
    await sleep(CHECK_MS)
  }
}
