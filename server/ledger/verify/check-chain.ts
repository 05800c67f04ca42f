/** The checks of a wallet's chain and of the keys of its operations. Each throws a Fault at the first bad row. */
import * as query from './verify-queries.ts'
import type pg from 'pg'
import { many } from '../../database/statement.ts'
import { digestPair, GENESIS_HASH, hashOperation } from '../digest.ts'
import { findHoldRows, type OpenHolds, type PostedKey, sumOpenHolds } from './verify-queries.ts'
import { type Head, movedBy, type Operation, scopeOf, type WalletState } from '../types.ts'

/** Thrown at the first bad row. */
export class Fault extends Error {}

/** A chain continues after its archived head, because earlier operations are in files. */
export function laterOf(head: Head, archived: Head | undefined): Head {
  return archived && archived.seq > head.seq ? archived : head
}

export function genesisOf(id: bigint): Head {
  return { id, seq: 0n, balance: 0n, debt: 0n, held: 0n, headHash: GENESIS_HASH }
}

/** The digest of its pair. */
export function digestOf(operation: Operation): string {
  return digestPair(scopeOf(operation), operation.referenceType, operation.referenceId)
}

export interface Keys {
  posted: Map<string, PostedKey>
  /** The digests of the refunds that ledger.refunds has. */
  refunds: Set<string>
  /** The digests of the holds that ledger.holds has, and of the changes that ledger.hold_changes has. */
  holds: Set<string>
}

/** `digests`: those of the operations, in the same order. */
export async function readKeys(
  client: pg.ClientBase,
  operations: Operation[],
  digests: string[],
): Promise<Keys> {
  const posted = await many(client, query.readKeys(digests))
  const debits = operations.flatMap(({ kind, target }) =>
    kind === 'refund' && target !== null ? [target] : [],
  )
  const refunds = debits.length > 0 ? await many(client, query.findRefunds(debits)) : []
  const changes = digests.filter((_, index) => isOfHold(operations[index] as Operation))
  const holds = changes.length > 0 ? await many(client, findHoldRows(changes)) : []
  return {
    posted: new Map(posted.map((each) => [each.digest, each])),
    refunds: new Set(refunds),
    holds: new Set(holds),
  }
}

export async function readOpenHolds(client: pg.ClientBase, walletIds: readonly bigint[]) {
  const open = await many(client, sumOpenHolds(walletIds))
  return new Map(open.map((each) => [each.walletId, each]))
}

function isOfHold({ kind }: Operation): boolean {
  return kind === 'hold' || kind === 'capture' || kind === 'release' || kind === 'expiry'
}

/** The key of an operation's pair must refer to that operation. */
export function checkKey(operation: Operation, digest: string, { posted, refunds, holds }: Keys) {
  const key = posted.get(digest)
  const isNamed = key?.walletId === operation.walletId && key.seq === operation.seq
  if (isNamed && key.decidedAtMs === operation.createdAtMs) {
    checkOutcome(operation, key)
    if (operation.kind === 'refund' && !refunds.has(digest))
      throw new Fault(`${nameOf(operation)}: the refund is not in ledger.refunds`)
    if (isOfHold(operation) && !holds.has(digest))
      throw new Fault(`${nameOf(operation)}: the ${operation.kind} is not in the table of holds`)
    return
  }
  throw new Fault(
    `${nameOf(operation)}: the key of its reference is missing or refers to another operation`,
  )
}

/** A replay returns the outcome in the key, so it must be that of the operation. */
function checkOutcome(operation: Operation, key: PostedKey) {
  if (key.kind === null) return
  const isSame = key.kind === operation.kind && key.balanceAfter === operation.balanceAfter
  const isTarget = key.target === operation.target
  if (isSame && isTarget && key.amountMinor === movedBy(operation)) return
  throw new Fault(`${nameOf(operation)}: the outcome in the key of its reference is different`)
}

/** The end of the chain after the operation. */
export function stepChain(before: Head, operation: Operation, digest = digestOf(operation)): Head {
  const name = nameOf(operation)
  if (operation.seq !== before.seq + 1n) {
    throw new Fault(`wallet ${before.id}, operation ${before.seq + 1n}: the row is missing`)
  }
  const hash = hashOperation(before.headHash, operation, digest)
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
  const { heldAfter } = operation
  if (heldAfter !== before.held + operation.heldChange || heldAfter < 0n) {
    throw new Fault(`${name}: the held amount after it is wrong`)
  }
  return {
    id: before.id,
    seq: operation.seq,
    balance: balanceAfter,
    debt: debtAfter,
    held: heldAfter,
    headHash: operation.hash,
  }
}

/** The wallet has at least the operations of its head in the checkpoint. */
export function checkHead(wallet: WalletState | undefined, head: Head) {
  if (wallet === undefined) throw new Fault(`wallet ${head.id}: the wallet is missing`)
  if (wallet.seq >= head.seq) return
  throw new Fault(
    `wallet ${head.id}, operation ${wallet.seq + 1n}: newer operations are missing, the checkpoint has ${head.seq}`,
  )
}

/** The chain must contain the head that the checkpoint recorded. */
export function compareWithCheckpoint(end: Head, checkpoint: Head | undefined) {
  if (checkpoint?.seq !== end.seq || checkpoint.headHash.equals(end.headHash)) return
  throw new Fault(`wallet ${end.id}, operation ${end.seq}: it differs from the checkpoint`)
}

/** `open`: the wallet's open holds; undefined if it has none. */
export function checkEnd(wallet: WalletState, end: Head, open: OpenHolds | undefined) {
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
  if (wallet.held !== end.held) {
    throw new Fault(`${name}: ${wallet.held} is held, its operations add up to ${end.held}`)
  }
  if (!wallet.headHash.equals(end.headHash))
    throw new Fault(`${name}: the head hash differs from its last operation's`)
  const holds = open?.sum ?? 0n
  if (wallet.held !== holds) {
    throw new Fault(`${name}: ${wallet.held} is held, its open holds add up to ${holds}`)
  }
  if (wallet.nextExpiryMs !== (open?.nextExpiryMs ?? null)) {
    throw new Fault(`${name}: the next expiry is not that of its open holds`)
  }
}

export function nameOf({ walletId, seq }: Pick<Operation, 'walletId' | 'seq'>): string {
  return `wallet ${walletId}, operation ${seq}`
}
