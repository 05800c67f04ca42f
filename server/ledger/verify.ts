/**
 * Verifies the books in one snapshot: every wallet's hash chain, balances and keys, then the accounts and the trial
 * balance. A scan of all tables confirms what is correct, which is usually everything. The wallets that it cannot
 * confirm are walked, one operation after the other, which takes longer and names the first bad row. With a checkpoint
 * it also detects missing newest operations; with `onlySince` it walks only newer ones.
 */
import type pg from 'pg'
import { many, one, run } from '../database/statement.ts'
import { KEEP_MONTHS, readArchivedHeads, SUM_ARCHIVED } from './archived-queries.ts'
import {
  checkEnd,
  checkKey,
  Fault,
  genesisOf,
  laterOf,
  nameOf,
  readKeys,
  readOpenHolds,
  stepChain,
} from './check-chain.ts'
import { checkHolds, checkRefunds, checkSpends } from './check-tables.ts'
import { walletPages } from './checkpoint.ts'
import { GROUP_MASK } from './scan/fingerprint.ts'
import { scanBooks, type Scan, type ScanOptions } from './scan/scan-books.ts'
import { FIND_WRONG_HELD } from './holds/verify-hold-queries.ts'
import * as query from './verify-queries.ts'
import type { Head, Operation, WalletState } from './types.ts'

export interface VerifyOptions extends ScanOptions {
  /** Trust the books up to the checkpoint and verify only newer operations. */
  onlySince?: boolean
}

export interface VerifyReport {
  wallets: number
  operations: number
  /** Names the first bad row; undefined if the books are correct. */
  fault: string | undefined
}

const PAGE = 1_000

export async function verify(client: pg.ClientBase, options: VerifyOptions): Promise<VerifyReport> {
  const report: VerifyReport = { wallets: 0, operations: 0, fault: undefined }
  await run(client, query.BEGIN_SNAPSHOT)
  await run(client, KEEP_MONTHS)
  try {
    await (options.onlySince ? verifyNewer : verifyAll)(client, options, report)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    report.fault = error.message
  } finally {
    await run(client, query.ROLLBACK)
  }
  return report
}

async function verifyAll(client: pg.ClientBase, options: VerifyOptions, report: VerifyReport) {
  const scan = await scanBooks(client, options)
  report.wallets = scan.wallets
  report.operations = scan.operations
  const wrong = await one(client, FIND_WRONG_HELD)
  if (wrong !== undefined) scan.suspects.push(wrong)
  for await (const cases of suspectCases(client, scan)) await walkWallets(client, cases, false)
  await checkKeys(client, scan)
  await checkAllRefunds(client, scan.refunds)
  await checkAllHolds(client, scan)
  await checkSpends(client)
  const { accounts } = scan
  for (const { account, sum } of await many(client, SUM_ARCHIVED)) {
    accounts.set(account, (accounts.get(account) ?? 0n) + sum)
  }
  for (const { account, balance } of await many(client, query.READ_ALLOWANCES)) {
    const sum = accounts.get(account) ?? 0n
    if (balance !== sum) {
      throw new Fault(
        `account ${account}: the balance is ${balance}, its operations add up to ${sum}`,
      )
    }
  }
  const total = [...accounts.values()].reduce((sum, each) => sum + each, scan.people)
  if (total !== 0n) throw new Fault(`trial balance: the sum of all accounts is ${total}, not 0`)
}

async function verifyNewer(client: pg.ClientBase, options: VerifyOptions, report: VerifyReport) {
  const total = (await one(client, query.COUNT_WALLETS)) ?? 0
  for await (const cases of checkpointCases(client, options.checkpoint)) {
    report.operations += await walkWallets(client, cases, true)
    report.wallets += cases.length
    options.onProgress?.(report.wallets, total)
  }
  await checkAllRefunds(client)
  await checkAllHolds(client)
  await checkSpends(client)
}

/** A wallet to walk, with its head in the checkpoint. The wallet may be missing. */
interface Case {
  id: bigint
  wallet: WalletState | undefined
  head: Head | undefined
}

async function* suspectCases(client: pg.ClientBase, scan: Scan): AsyncGenerator<Case[]> {
  const { groups, suspects, headOf } = scan
  const ofGroups =
    groups.length > 0 ? await many(client, query.findWalletsOfGroups(groups, GROUP_MASK)) : []
  const ids = [...new Set([...suspects, ...ofGroups])].toSorted((a, b) => (a < b ? -1 : 1))
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE)
    const wallets = await many(client, query.readWallets(page))
    const known = new Map(wallets.map((wallet) => [wallet.id, wallet]))
    yield page.map((id) => ({ id, wallet: known.get(id), head: headOf(id) }))
  }
}

/** All wallets, and all heads of the checkpoint, in the order of ids. */
async function* checkpointCases(
  client: pg.ClientBase,
  checkpoint: AsyncIterable<Head> | undefined,
): AsyncGenerator<Case[]> {
  const heads = checkpoint?.[Symbol.asyncIterator]()
  const nextHead = async () => (await heads?.next())?.value as Head | undefined
  let head = await nextHead()
  for await (const page of walletPages(client, PAGE)) {
    const cases: Case[] = []
    for (const wallet of page) {
      for (; head && head.id < wallet.id; head = await nextHead()) {
        cases.push({ id: head.id, wallet: undefined, head })
      }
      const isKnown: boolean = head?.id === wallet.id
      cases.push({ id: wallet.id, wallet, head: isKnown ? head : undefined })
      if (isKnown) head = await nextHead()
    }
    yield cases
  }
  if (head) yield [{ id: head.id, wallet: undefined, head }]
}

/** Returns the number of operations. */
async function walkWallets(
  client: pg.ClientBase,
  cases: Case[],
  onlySince: boolean,
): Promise<number> {
  for (const each of cases) checkHead(each)
  const archived = await findArchivedHeads(client, cases)
  const starts = cases.map(({ id, head }) =>
    laterOf(onlySince && head ? head : genesisOf(id), archived.get(id)),
  )
  const ends = new Map(starts.map((start) => [start.id, start]))
  const known = new Map(cases.map((each) => [each.id, each]))
  for (const start of starts) checkPassage(start, known.get(start.id)?.head)
  let count = 0
  for await (const operations of operationPieces(client, starts)) {
    const keys = await readKeys(client, operations)
    for (const operation of operations) {
      const { wallet, head } = known.get(operation.walletId) as Case
      if (wallet === undefined) throw new Fault(`${nameOf(operation)}: the wallet is missing`)
      const end = stepChain(ends.get(operation.walletId) as Head, operation)
      ends.set(operation.walletId, end)
      checkKey(operation, keys)
      checkPassage(end, head)
    }
    count += operations.length
  }
  const open = await readOpenHolds(
    client,
    cases.map(({ id }) => id),
  )
  for (const { id, wallet } of cases) {
    if (wallet) checkEnd(wallet, ends.get(id) as Head, open.get(id))
  }
  return count
}

async function findArchivedHeads(client: pg.ClientBase, cases: Case[]) {
  const heads = await many(client, readArchivedHeads(cases.map(({ id }) => id)))
  return new Map(heads.map((head) => [head.id, head]))
}

function checkHead({ id, wallet, head }: Case) {
  if (head === undefined) return
  if (wallet === undefined) throw new Fault(`wallet ${id}: the wallet is missing`)
  if (wallet.seq >= head.seq) return
  throw new Fault(
    `wallet ${id}, operation ${wallet.seq + 1n}: newer operations are missing, the checkpoint has ${head.seq}`,
  )
}

/** Call this after the wallets were walked: then every operation has its key, and a key may be left over. */
async function checkKeys(client: pg.ClientBase, { groups }: Scan) {
  if (groups.length === 0) return
  const key = await one(client, query.findOrphanKey(groups, GROUP_MASK))
  if (key) throw new Fault(`${nameOf(key)}: the row is missing, its key is still there`)
  throw new Fault('the keys do not match the operations: a row exists twice')
}

/** Every refund in the table has its key; as many keys as rows mean that every key has its row, too. */
async function checkAllRefunds(client: pg.ClientBase, keys?: number) {
  let rows = 0
  let page = await checkRefunds(client)
  for (; page.last; page = await checkRefunds(client, page.last)) rows += page.count
  if (keys === undefined || rows === keys) return
  throw new Fault(
    `ledger.refunds: the number of rows is ${rows}, but ${keys} is the number of refunds with a key`,
  )
}

/** As for the refunds: the numbers of rows and of keys show whether one is missing. */
async function checkAllHolds(client: pg.ClientBase, keys?: Pick<Scan, 'holds' | 'holdChanges'>) {
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

async function* operationPieces(
  client: pg.ClientBase,
  starts: Head[],
): AsyncGenerator<Operation[]> {
  const ids = starts.map((each) => each.id)
  const seqs = starts.map((each) => each.seq)
  await run(client, query.openOperationsCursor(ids, seqs))
  for (;;) {
    const operations = await many(client, query.FETCH_OPERATIONS)
    if (operations.length === 0) break
    yield operations
  }
  await run(client, query.CLOSE_OPERATIONS)
}

/** The chain must contain the head that the checkpoint recorded. */
function checkPassage(end: Head, checkpoint: Head | undefined) {
  if (checkpoint?.seq !== end.seq || checkpoint.headHash.equals(end.headHash)) return
  throw new Fault(`wallet ${end.id}, operation ${end.seq}: it differs from the checkpoint`)
}
