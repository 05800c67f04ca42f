/**
 * Verifies all books in portions of some milliseconds, with the same checks that `coffer verify` makes in one snapshot.
 * Each portion has its own snapshot, in which a wallet, its operations and their keys are consistent. Operations never
 * change, so a portion can continue a chain where the previous portion ended.
 */
import type pg from 'pg'
import { inSnapshot } from '../database/in-transaction.ts'
import { many, one, run } from '../database/statement.ts'
import { KEEP_MONTHS, readArchivedHeadsBetween } from '../ledger/archived-queries.ts'
import type { Head, Operation, WalletState } from '../ledger/types.ts'
import {
  checkEnd,
  checkKey,
  Fault,
  genesisOf,
  laterOf,
  readKeys,
  readOpenHolds,
  stepChain,
} from '../ledger/check-chain.ts'
import {
  BEFORE_HOLDS,
  BEFORE_REFUNDS,
  checkHolds,
  checkRefunds,
  checkSpends,
} from '../ledger/check-tables.ts'
import { checkKeyPage, FIND_HOURS, readOperationsAfter, readWalletsFrom } from './proof-queries.ts'
import { recountHour } from './recount.ts'
import { HOUR_MS, type BookTools } from './roll-up.ts'
import { goOn, type OnStep } from './sum-operations.ts'

const WALLETS = 500
const OPERATIONS = 1_000
const KEYS = 2_000
const HOURS_MS = 50
const LAST_ID = 9_223_372_036_854_775_807n

/** Where the next portion starts. Stored as JSON, so bigints are strings. */
export type Place =
  | { phase: 'wallets'; walletId: string; head?: StoredHead | undefined }
  | { phase: 'keys'; digest: string }
  | { phase: 'refunds'; debit: string; refunded: string }
  | { phase: 'holds'; digest: string }
  | { phase: 'hours'; hour: string | null }

interface StoredHead {
  seq: string
  balance: string
  debt: string
  held: string
  hash: string
}

export interface Portion {
  /** undefined after the last portion. */
  next: Place | undefined
  operations: number
  /** Verification continues after a fault. */
  fault: string | undefined
}

export const FIRST_PLACE: Place = { phase: 'wallets', walletId: '1' }

export function walkPortion(tools: BookTools, place: Place, onStep = goOn): Promise<Portion> {
  if (place.phase === 'wallets') return inSnapshot(tools.db, (tx) => walkWallets(tx, place))
  if (place.phase === 'keys') return walkKeys(tools.db, place.digest)
  if (place.phase === 'refunds') return inSnapshot(tools.db, (tx) => walkRefunds(tx, place))
  if (place.phase === 'holds') return inSnapshot(tools.db, (tx) => walkHolds(tx, place.digest))
  return walkHours(tools, place.hour, onStep)
}

async function walkWallets(
  tx: pg.ClientBase,
  place: Extract<Place, { phase: 'wallets' }>,
): Promise<Portion> {
  await run(tx, KEEP_MONTHS)
  const first = BigInt(place.walletId)
  const wallets = await many(tx, readWalletsFrom(first, WALLETS))
  const isLastPage = wallets.length < WALLETS
  // After the last wallet there may be operations without a wallet.
  const upTo = isLastPage ? LAST_ID : (wallets.at(-1)?.id ?? LAST_ID)
  const archived = await many(tx, readArchivedHeadsBetween(first, upTo))
  const ends = new Map(archived.map((head) => [head.id, head]))
  const walked = place.head ? toHead(first, place.head) : genesisOf(first)
  // The month in which the previous portion ended may be archived meanwhile.
  const start = laterOf(walked, ends.get(first))
  ends.set(first, start)
  const operations = await many(tx, readOperationsAfter(first, start.seq, upTo, OPERATIONS))
  const isCut = operations.length === OPERATIONS
  const lastId = isCut ? (operations.at(-1) as Operation).walletId : upTo
  const keys = await readKeys(tx, operations)
  const known = new Map(wallets.map((wallet) => [wallet.id, wallet]))
  let at = first
  try {
    for (const operation of operations) {
      at = operation.walletId
      if (!known.has(at))
        throw new Fault(`wallet ${at}, operation ${operation.seq}: the wallet is missing`)
      ends.set(at, stepChain(ends.get(at) ?? genesisOf(at), operation))
      checkKey(operation, keys)
    }
    const ended = wallets.filter(({ id }) => !isCut || id < lastId)
    const endedIds = ended.map(({ id }) => id)
    const open = await readOpenHolds(tx, endedIds)
    for (const wallet of ended) {
      at = wallet.id
      checkEnd(wallet, ends.get(at) ?? genesisOf(at), open.get(at))
    }
    await checkSpends(tx, endedIds)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const next: Place = { phase: 'wallets', walletId: String(at + 1n) }
    return { next, operations: operations.length, fault: error.message }
  }
  const next = nextPlace(isCut ? ends.get(lastId) : undefined, isLastPage, upTo)
  return { next, operations: operations.length, fault: undefined }
}

function nextPlace(head: Head | undefined, isLastPage: boolean, upTo: bigint): Place {
  if (head) return { phase: 'wallets', walletId: String(head.id), head: storeHead(head) }
  if (isLastPage) return { phase: 'keys', digest: '00000000-0000-0000-0000-000000000000' }
  return { phase: 'wallets', walletId: String(upTo + 1n) }
}

function storeHead({ seq, balance, debt, held, headHash }: Head): StoredHead {
  const hash = headHash.toString('hex')
  const [owed, reserved] = [String(debt), String(held)]
  return { seq: String(seq), balance: String(balance), debt: owed, held: reserved, hash }
}

function toHead(id: WalletState['id'], { seq, balance, debt, held, hash }: StoredHead): Head {
  return {
    id,
    seq: BigInt(seq),
    balance: BigInt(balance),
    debt: BigInt(debt),
    held: BigInt(held),
    headHash: Buffer.from(hash, 'hex'),
  }
}

/** The wallets phase found the key of every operation; this phase finds the operation of every key. */
async function walkKeys(db: pg.Pool, after: string): Promise<Portion> {
  const page = await one(db, checkKeyPage(after, KEYS))
  if (page === undefined || page.lastDigest === null) {
    return { next: placeOf(BEFORE_REFUNDS), operations: 0, fault: undefined }
  }
  const { lastDigest, orphan } = page
  const fault =
    orphan &&
    `wallet ${orphan.walletId}, operation ${orphan.seq}: the row is missing, its key is still there`
  return { next: { phase: 'keys', digest: lastDigest }, operations: 0, fault }
}

function placeOf({ debit, refunded }: typeof BEFORE_REFUNDS): Place {
  return { phase: 'refunds', debit, refunded: String(refunded) }
}

/** The wallets phase found the row of every refund; this phase checks the rows. */
async function walkRefunds(
  tx: pg.ClientBase,
  { debit, refunded }: Extract<Place, { phase: 'refunds' }>,
): Promise<Portion> {
  const holds: Place = { phase: 'holds', digest: BEFORE_HOLDS }
  return continueUnlessFaulty(holds, async () => {
    const { last } = await checkRefunds(tx, { debit, refunded: BigInt(refunded) })
    return last && placeOf(last)
  })
}

/** The same for holds and their changes. */
async function walkHolds(tx: pg.ClientBase, after: string): Promise<Portion> {
  return continueUnlessFaulty({ phase: 'hours', hour: null }, async () => {
    const { last } = await checkHolds(tx, after)
    return last === undefined ? undefined : { phase: 'holds', digest: last }
  })
}

/** `check` returns where the same phase continues, or undefined at its end. After a fault the next phase begins. */
async function continueUnlessFaulty(
  nextPhase: Place,
  check: () => Promise<Place | undefined>,
): Promise<Portion> {
  try {
    return { next: (await check()) ?? nextPhase, operations: 0, fault: undefined }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { next: nextPhase, operations: 0, fault: error.message }
  }
}

/** Counts several hours per portion, because an hour with few operations takes little time. */
async function walkHours(tools: BookTools, from: string | null, onStep: OnStep): Promise<Portion> {
  const startMs = performance.now()
  const bounds = await one(tools.db, FIND_HOURS)
  const endMs = bounds?.rolledUpTo.getTime() ?? 0
  let hourMs = from === null ? (bounds?.firstHour?.getTime() ?? endMs) : Date.parse(from)
  let fault: string | undefined
  while (hourMs < endMs && fault === undefined && performance.now() - startMs < HOURS_MS) {
    fault = await recountHour(tools, new Date(hourMs), onStep)
    hourMs += HOUR_MS
  }
  const hour = new Date(hourMs).toISOString()
  return { next: hourMs < endMs ? { phase: 'hours', hour } : undefined, operations: 0, fault }
}
