/**
 * Verifies the books in one snapshot: every wallet's hash chain, balances and keys, then the accounts and the trial
 * balance. With a checkpoint it also detects missing newest operations; with `onlySince` it reads only newer ones.
 */
import type pg from 'pg'
import { many, one, run } from '../database/statement.ts'
import { walletPages, type Head } from './checkpoint.ts'
import { digestPair, GENESIS_HASH, hashOperation } from './digest.ts'
import * as query from './verify-queries.ts'
import { scopeOf, type Operation, type WalletState } from './types.ts'

export interface VerifyOptions {
  checkpoint?: AsyncIterable<Head>
  /** Trust the books up to the checkpoint and verify only newer operations. */
  onlySince?: boolean
  onProgress?: (done: { wallets: number; operations: number }) => void
}

export interface VerifyReport {
  wallets: number
  operations: number
  /** Names the first bad row; undefined if the books are correct. */
  fault: string | undefined
}

/** Thrown at the first bad row. */
export class Fault extends Error {}

const PAGE = 1_000

export async function verify(client: pg.ClientBase, options: VerifyOptions): Promise<VerifyReport> {
  const walk = new Walk(options)
  let fault: string | undefined
  await run(client, query.BEGIN_SNAPSHOT)
  try {
    for await (const page of walletPages(client, PAGE)) {
      await walk.takePage(client, page)
      options.onProgress?.({ wallets: walk.wallets, operations: walk.operations })
    }
    await walk.finish(client)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    fault = error.message
  } finally {
    await run(client, query.ROLLBACK)
  }
  return { wallets: walk.wallets, operations: walk.operations, fault }
}

class Walk {
  wallets = 0
  operations = 0
  readonly #options: VerifyOptions
  readonly #heads: AsyncIterator<Head> | undefined
  #nextHead: Head | undefined
  #headsBegan = false
  readonly #accounts = new Map<number, bigint>()
  #people = 0n

  constructor(options: VerifyOptions) {
    this.#options = options
    this.#heads = options.checkpoint?.[Symbol.asyncIterator]()
  }

  async takePage(client: pg.ClientBase, page: WalletState[]) {
    const starts = new Map<bigint, Head>()
    const checkpoints = new Map<bigint, Head>()
    for (const wallet of page) {
      const head = await this.#headOf(wallet)
      if (head) checkpoints.set(wallet.id, head)
      const isTrusted = head !== undefined && this.#options.onlySince === true
      starts.set(wallet.id, isTrusted ? head : genesisOf(wallet.id))
    }
    const ends = new Map(starts)
    for await (const operations of operationPieces(client, [...starts.values()])) {
      const keys = await readKeys(client, operations)
      for (const operation of operations) {
        const end = stepChain(ends.get(operation.walletId) as Head, operation)
        ends.set(operation.walletId, end)
        checkKey(operation, keys)
        checkPassage(end, checkpoints.get(operation.walletId))
        this.#settle(operation)
      }
    }
    for (const wallet of page) checkEnd(wallet, ends.get(wallet.id) as Head)
  }

  /** The checkpoint's head of this wallet. A head without a wallet means that the wallet is missing. */
  async #headOf(wallet: WalletState): Promise<Head | undefined> {
    this.wallets++
    this.#people += wallet.balance - wallet.debt
    await this.#pullHead(!this.#headsBegan)
    const head = this.#nextHead
    if (head === undefined || head.id > wallet.id) return undefined
    if (head.id < wallet.id) throw new Fault(`wallet ${head.id}: the wallet is missing`)
    await this.#pullHead(true)
    if (wallet.seq < head.seq) {
      throw new Fault(
        `wallet ${wallet.id}, operation ${wallet.seq + 1n}: newer operations are missing, the checkpoint has ${head.seq}`,
      )
    }
    return head
  }

  async #pullHead(needed: boolean) {
    if (!needed || this.#heads === undefined) return
    this.#headsBegan = true
    const next = await this.#heads.next()
    this.#nextHead = next.done ? undefined : next.value
  }

  #settle({ counterAccount, amount, debtChange }: Operation) {
    this.operations++
    const balance = this.#accounts.get(counterAccount) ?? 0n
    this.#accounts.set(counterAccount, balance - amount + debtChange)
  }

  async finish(client: pg.ClientBase) {
    await this.#pullHead(!this.#headsBegan)
    if (this.#nextHead) throw new Fault(`wallet ${this.#nextHead.id}: the wallet is missing`)
    if (this.#options.onlySince) return
    const orphan = await one(client, query.FIND_ORPHAN_OPERATION)
    if (orphan) throw new Fault(`${nameOf(orphan)}: the wallet is missing`)
    const key = await one(client, query.FIND_ORPHAN_KEY)
    if (key) throw new Fault(`${nameOf(key)}: the row is missing, its key is still there`)
    for (const { account, balance } of await many(client, query.READ_ALLOWANCES)) {
      const sum = this.#accounts.get(account) ?? 0n
      if (balance !== sum) {
        throw new Fault(
          `account ${account}: the balance is ${balance}, its operations add up to ${sum}`,
        )
      }
    }
    const total = [...this.#accounts.values()].reduce((sum, each) => sum + each, this.#people)
    if (total !== 0n) throw new Fault(`trial balance: the sum of all accounts is ${total}, not 0`)
  }
}

export function genesisOf(id: bigint): Head {
  return { id, seq: 0n, balance: 0n, debt: 0n, headHash: GENESIS_HASH }
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

function digestOf(operation: Operation): string {
  return digestPair(scopeOf(operation), operation.referenceType, operation.referenceId)
}

export async function readKeys(client: pg.ClientBase, operations: Operation[]) {
  const keys = await many(client, query.readKeys(operations.map(digestOf)))
  return new Map(keys.map((each) => [each.digest, each]))
}

/** The key of an operation's pair must refer to that operation. */
export function checkKey(operation: Operation, keys: Map<string, query.PostedKey>) {
  const key = keys.get(digestOf(operation))
  const isNamed = key?.walletId === operation.walletId && key.seq === operation.seq
  if (isNamed && key.decidedAtMs === operation.createdAtMs) return
  throw new Fault(
    `${nameOf(operation)}: the key of its reference is missing or refers to another operation`,
  )
}

export function stepChain(before: Head, operation: Operation): Head {
  const name = nameOf(operation)
  if (operation.seq !== before.seq + 1n) {
    throw new Fault(`wallet ${before.id}, operation ${before.seq + 1n}: the row is missing`)
  }
  if (!hashOperation(before.headHash, operation, digestOf(operation)).equals(operation.hash)) {
    throw new Fault(`${name}: the hash does not match the row`)
  }
  const { balanceAfter, debtAfter } = operation
  if (balanceAfter !== before.balance + operation.amount || balanceAfter < 0n) {
    throw new Fault(`${name}: the balance after it is wrong`)
  }
  if (debtAfter !== before.debt + operation.debtChange || debtAfter < 0n) {
    throw new Fault(`${name}: the debt after it is wrong`)
  }
  return {
    id: before.id,
    seq: operation.seq,
    balance: balanceAfter,
    debt: debtAfter,
    headHash: operation.hash,
  }
}

/** The chain must contain the head that the checkpoint recorded. */
function checkPassage(end: Head, checkpoint: Head | undefined) {
  if (checkpoint?.seq !== end.seq || checkpoint.headHash.equals(end.headHash)) return
  throw new Fault(`wallet ${end.id}, operation ${end.seq}: it differs from the checkpoint`)
}

export function checkEnd(wallet: WalletState, end: Head) {
  const name = `wallet ${wallet.id}`
  if (wallet.seq > end.seq) {
    throw new Fault(`${name}, operation ${end.seq + 1n}: the row is missing`)
  }
  if (wallet.seq < end.seq) {
    throw new Fault(
      `${name}, operation ${wallet.seq + 1n}: the wallet's counter does not include this operation`,
    )
  }
  if (wallet.balance !== end.balance) {
    throw new Fault(
      `${name}: the balance is ${wallet.balance}, its operations add up to ${end.balance}`,
    )
  }
  if (wallet.debt !== end.debt) {
    throw new Fault(`${name}: the debt is ${wallet.debt}, its operations add up to ${end.debt}`)
  }
  if (!wallet.headHash.equals(end.headHash))
    throw new Fault(`${name}: the head hash differs from its last operation's`)
}

function nameOf({ walletId, seq }: Pick<Operation, 'walletId' | 'seq'>): string {
  return `wallet ${walletId}, operation ${seq}`
}
