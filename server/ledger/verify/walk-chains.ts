/**
 * The walk over the chains of all wallets, for `coffer verify` and the continuous verifier. A step reads some wallets,
 * in the order of their ids, and some of their operations, with the keys of these operations. It stops at its limits,
 * even within a chain, and the next step continues there.
 */
import type pg from 'pg'
import { many } from '../../database/statement.ts'
import { readArchivedHeadsBetween } from '../partitions/archived-queries.ts'
import {
  checkEnd,
  checkHead,
  checkKey,
  compareWithCheckpoint,
  digestOf,
  Fault,
  genesisOf,
  type Keys,
  laterOf,
  nameOf,
  readKeys,
  readOpenHolds,
  stepChain,
} from './check-chain.ts'
import {
  type OpenHolds,
  readOperationsAfter,
  readOperationsAfterHeads,
  readWalletsFrom,
} from './verify-queries.ts'
import type { Head, Operation, WalletState } from '../types.ts'

/** The ids of wallets are between these. */
export const FIRST_ID = -9_223_372_036_854_775_808n
export const LAST_ID = 9_223_372_036_854_775_807n

/** Where a step begins. */
export interface Start {
  from: bigint
  /** Where the chain of the first wallet continues; undefined if no step has walked a part of it. */
  head?: Head | undefined
}

export interface Range extends Start {
  upTo: bigint
  /** The heads in the checkpoint of wallets in this range. */
  checkpoint?: ReadonlyMap<bigint, Head>
  /** Walk only operations after the checkpoint. */
  isIncremental?: boolean
}

export interface Limits {
  wallets: number
  operations: number
}

export interface Step {
  /** Those whose chain has ended. */
  wallets: WalletState[]
  operations: Operation[]
  /** The walk continues after a fault with the next wallet. */
  fault: string | undefined
  /** undefined at the end of the range. */
  next: Start | undefined
}

export async function walkChains(tx: pg.ClientBase, range: Range, limits: Limits): Promise<Step> {
  const rows = await readRows(tx, range, limits)
  const { ended, operations, upTo, cutAt } = rows
  let at = range.from
  try {
    for (at of checkRows(rows, range)) continue
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { wallets: [], operations, fault: error.message, next: nextAfter(at, range) }
  }
  const next =
    cutAt === undefined ? nextAfter(upTo, range) : { from: cutAt, head: rows.ends.get(cutAt) }
  return { wallets: ended, operations, fault: undefined, next }
}

/** What a step reads. */
interface Rows {
  known: ReadonlyMap<bigint, WalletState>
  /** The wallets whose chain ends in this step. */
  ended: WalletState[]
  /** The current head of each chain. A wallet that is not in the map has no operation before this step. */
  ends: Map<bigint, Head>
  operations: Operation[]
  digests: string[]
  keys: Keys
  open: ReadonlyMap<bigint, OpenHolds>
  /** The last wallet of this step. */
  upTo: bigint
  /** The wallet with more operations than the limit allows; undefined if there is none. */
  cutAt: bigint | undefined
}

async function readRows(tx: pg.ClientBase, range: Range, limits: Limits): Promise<Rows> {
  const { from } = range
  const wallets = await many(tx, readWalletsFrom(from, range.upTo, limits.wallets))
  const upTo = wallets.length < limits.wallets ? range.upTo : (wallets.at(-1) as WalletState).id
  const ends = await findStarts(tx, range, upTo)
  const operations = await many(
    tx,
    range.isIncremental
      ? readOperationsAfterHeads(
          wallets.map(({ id }) => ends.get(id) ?? genesisOf(id)),
          limits.operations,
        )
      : readOperationsAfter(ends.get(from) ?? genesisOf(from), upTo, limits.operations),
  )
  const cutAt = operations.length < limits.operations ? undefined : operations.at(-1)?.walletId
  const ended = wallets.filter(({ id }) => cutAt === undefined || id < cutAt)
  const digests = operations.map(digestOf)
  return {
    known: new Map(wallets.map((wallet) => [wallet.id, wallet])),
    ended,
    ends,
    operations,
    digests,
    keys: await readKeys(tx, operations, digests),
    open: await readOpenHolds(
      tx,
      ended.map(({ id }) => id),
    ),
    upTo,
    cutAt,
  }
}

/** Yields each wallet before it checks it, and throws a Fault. */
function* checkRows(rows: Rows, { from, checkpoint }: Range): Generator<bigint> {
  const { known, ended, ends, operations, digests, keys, open, upTo } = rows
  for (const head of checkpoint?.values() ?? []) {
    if (head.id < from || head.id > upTo) continue
    yield head.id
    checkHead(known.get(head.id), head)
  }
  for (const start of ends.values()) {
    yield start.id
    if (!known.has(start.id)) throw new Fault(`wallet ${start.id}: the wallet is missing`)
    compareWithCheckpoint(start, checkpoint?.get(start.id))
  }
  for (const [index, operation] of operations.entries()) {
    const { walletId } = operation
    yield walletId
    if (!known.has(walletId)) throw new Fault(`${nameOf(operation)}: the wallet is missing`)
    const digest = digests[index] as string
    const end = stepChain(ends.get(walletId) ?? genesisOf(walletId), operation, digest)
    ends.set(walletId, end)
    checkKey(operation, digest, keys)
    compareWithCheckpoint(end, checkpoint?.get(walletId))
  }
  for (const wallet of ended) {
    yield wallet.id
    checkEnd(wallet, ends.get(wallet.id) ?? genesisOf(wallet.id), open.get(wallet.id))
  }
}

/** The heads after which chains continue. Other chains start with their first operation. */
async function findStarts(
  tx: pg.ClientBase,
  { from, head, checkpoint, isIncremental }: Range,
  upTo: bigint,
): Promise<Map<bigint, Head>> {
  const archived = await many(tx, readArchivedHeadsBetween(from, upTo))
  const starts = new Map(archived.map((each) => [each.id, each]))
  const walked = isIncremental && checkpoint ? [...checkpoint.values()] : []
  // The month in which the previous step ended may be archived meanwhile.
  for (const each of head ? [...walked, head] : walked) {
    if (each.id >= from && each.id <= upTo) starts.set(each.id, laterOf(each, starts.get(each.id)))
  }
  return starts
}

function nextAfter(walletId: bigint, { upTo }: Range): Start | undefined {
  return walletId < upTo ? { from: walletId + 1n } : undefined
}
