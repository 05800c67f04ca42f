/**
 * Verifies the books in one snapshot: every wallet's hash chain, balances and keys, then the other tables, the accounts
 * and the trial balance. With a checkpoint it also detects missing newest operations; with `isIncremental` it walks
 * only newer ones.
 */
import * as query from './verify-queries.ts'
import type pg from 'pg'
import { many, one, run } from '../../database/statement.ts'
import { KEEP_MONTHS, SUM_ARCHIVED } from '../partitions/archived-queries.ts'
import { Fault } from './check-chain.ts'
import { checkHolds, checkKeys, checkRefunds, checkSpends } from './check-tables.ts'
import type { KeyCounts } from './verify-queries.ts'
import { walkAll, type Walked, type WalkOptions } from './walk-all.ts'

export interface VerifyOptions extends WalkOptions {
  onProgress?: (wallets: number, total: number) => void
}

export interface VerifyReport {
  wallets: number
  operations: number
  /** Names the first bad row; undefined if the books are correct. */
  fault: string | undefined
}

export async function verify(client: pg.ClientBase, options: VerifyOptions): Promise<VerifyReport> {
  const report: VerifyReport = { wallets: 0, operations: 0, fault: undefined }
  await run(client, query.BEGIN_SNAPSHOT)
  await run(client, KEEP_MONTHS)
  try {
    const total = (await one(client, query.COUNT_WALLETS)) ?? 0
    const walked = await walkAll(client, options, ({ wallets, operations }) => {
      report.wallets = wallets
      report.operations = operations
      options.onProgress?.(wallets, total)
    })
    if (walked.fault !== undefined) throw new Fault(walked.fault)
    const keys = options.isIncremental ? undefined : await countKeys(client, walked.operations)
    await checkAllRefunds(client, keys)
    await checkAllHolds(client, keys)
    await checkSpends(client)
    if (!options.isIncremental) await checkAccounts(client, walked)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    report.fault = error.message
  } finally {
    await run(client, query.ROLLBACK)
  }
  return report
}

/** Every operation has its own key, so as many keys as operations mean that every key has its operation. */
async function countKeys(client: pg.ClientBase, operations: number): Promise<KeyCounts> {
  await run(client, query.ALLOW_SCANS)
  const keys = (await one(client, query.COUNT_KEYS)) as KeyCounts
  if (keys.operations === operations) return keys
  for (let last = await checkKeys(client); last;) last = await checkKeys(client, last)
  throw new Fault(
    `ledger.operation_keys: the number of posted keys is ${keys.operations}, but ${operations} is the number of operations`,
  )
}

/** The same for refunds. */
async function checkAllRefunds(client: pg.ClientBase, keys: KeyCounts | undefined) {
  let rows = 0
  let page = await checkRefunds(client)
  for (; page.last; page = await checkRefunds(client, page.last)) rows += page.count
  if (keys === undefined || rows === keys.refunds) return
  throw new Fault(
    `ledger.refunds: the number of rows is ${rows}, but ${keys.refunds} is the number of refunds with a key`,
  )
}

/** The same for holds. */
async function checkAllHolds(client: pg.ClientBase, keys: KeyCounts | undefined) {
  const rows = { holds: 0, changes: 0 }
  let page = await checkHolds(client)
  for (; page.last !== undefined; page = await checkHolds(client, page.last)) {
    rows.holds += page.count
    rows.changes += page.changes
  }
  if (keys === undefined || (rows.holds === keys.holds && rows.changes === keys.holdChanges)) return
  throw new Fault(
    `ledger.holds and ledger.hold_changes: the numbers of rows are ${rows.holds} and ${rows.changes}, but ${keys.holds} and ${keys.holdChanges} are the numbers of keys`,
  )
}

async function checkAccounts(client: pg.ClientBase, { accounts, people }: Walked) {
  for (const { account, sum } of await many(client, SUM_ARCHIVED)) {
    accounts.set(account, (accounts.get(account) ?? 0n) + sum)
  }
  for (const { account, balance } of await many(client, query.READ_RUNNING_BALANCES)) {
    const sum = accounts.get(account) ?? 0n
    if (balance !== sum) {
      throw new Fault(
        `account ${account}: the balance is ${balance}, its operations add up to ${sum}`,
      )
    }
  }
  const total = [...accounts.values()].reduce((sum, each) => sum + each, people)
  if (total !== 0n) throw new Fault(`trial balance: the sum of all accounts is ${total}, not 0`)
}
