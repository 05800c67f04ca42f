/** The checks of a wallet's chain, of the keys of its operations and of the refunds. Each throws a Fault at the first bad row. */
import type pg from 'pg'
import { many, one } from '../database/statement.ts'
import { digestPair, GENESIS_HASH, hashOperation } from './digest.ts'
import * as query from './verify-queries.ts'
import type { PostedKey } from './verify-queries.ts'
import { scopeOf, type Head, type Operation, type WalletState } from './types.ts'

/** Thrown at the first bad row. */
export class Fault extends Error {}

/** The operations up to an archived head are not in the table. */
export function laterOf(head: Head, archived: Head | undefined): Head {
  return archived && archived.seq > head.seq ? archived : head
}

export function genesisOf(id: bigint): Head {
  return { id, seq: 0n, balance: 0n, debt: 0n, headHash: GENESIS_HASH }
}

function digestOf(operation: Operation): string {
  return digestPair(scopeOf(operation), operation.referenceType, operation.referenceId)
}

export interface Keys {
  posted: Map<string, PostedKey>
  /** The digests of the refunds that ledger.refunds has. */
  refunds: Set<string>
}

export async function readKeys(client: pg.ClientBase, operations: Operation[]): Promise<Keys> {
  const posted = await many(client, query.readKeys(operations.map(digestOf)))
  const debits = operations.flatMap(({ target }) => (target === null ? [] : [target]))
  const refunds = debits.length > 0 ? await many(client, query.findRefunds(debits)) : []
  return { posted: new Map(posted.map((each) => [each.digest, each])), refunds: new Set(refunds) }
}

/** The key of an operation's pair must refer to that operation. */
export function checkKey(operation: Operation, { posted, refunds }: Keys) {
  const digest = digestOf(operation)
  const key = posted.get(digest)
  const isNamed = key?.walletId === operation.walletId && key.seq === operation.seq
  if (isNamed && key.decidedAtMs === operation.createdAtMs) {
    checkOutcome(operation, key)
    if (operation.target === null || refunds.has(digest)) return
    throw new Fault(`${nameOf(operation)}: the refund is not in ledger.refunds`)
  }
  throw new Fault(
    `${nameOf(operation)}: the key of its reference is missing or refers to another operation`,
  )
}

/** A replay returns the outcome in the key, so it must be that of the operation. */
function checkOutcome(operation: Operation, key: PostedKey) {
  if (key.kind === null) return
  const moved = operation.amount - operation.debtChange
  const isSame = key.kind === operation.kind && key.balanceAfter === operation.balanceAfter
  const isTarget = key.target === operation.target
  if (isSame && isTarget && key.amountMinor === (moved < 0n ? -moved : moved)) return
  throw new Fault(`${nameOf(operation)}: the outcome in the key of its reference is different`)
}

export function stepChain(before: Head, operation: Operation): Head {
  const name = nameOf(operation)
  if (operation.seq !== before.seq + 1n) {
    throw new Fault(`wallet ${before.id}, operation ${before.seq + 1n}: the row is missing`)
  }
  const hash = hashOperation(before.headHash, operation, digestOf(operation))
  // The hash covers only 32 bits of the account.
  const isAccount = operation.counterAccount === (operation.counterAccount | 0)
  if (!isAccount || !hash.equals(operation.hash)) {
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

const REFUNDS = 2_000
export const BEFORE_REFUNDS = { debit: '00000000-0000-0000-0000-000000000000', refunded: 0n }

/** Checks the next refunds. Returns where to continue, and how many it checked. */
export async function checkRefunds(client: pg.ClientBase | pg.Pool, after = BEFORE_REFUNDS) {
  const page = await one(client, query.checkRefundPage(after, REFUNDS))
  if (page?.wrong) {
    throw new Fault(`${nameOf(page.wrong)}: the refund does not match its debit or its total`)
  }
  return { last: page?.last, count: page?.count ?? 0 }
}

export function nameOf({ walletId, seq }: Pick<Operation, 'walletId' | 'seq'>): string {
  return `wallet ${walletId}, operation ${seq}`
}
