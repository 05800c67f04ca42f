/**
 * Verifies all books in portions of some milliseconds, with the same checks that `coffer verify` makes in one snapshot.
 * Each portion has its own snapshot, in which a wallet, its operations and their keys are consistent. Operations never
 * change, so a portion can continue a chain where the previous portion ended.
 */
import type pg from 'pg'
import { inSnapshot } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { KEEP_MONTHS } from '../ledger/partitions/archived-queries.ts'
import { Fault } from '../ledger/verify/check-chain.ts'
import {
  BEFORE_REFUNDS,
  checkHolds,
  checkKeys,
  checkRefunds,
  checkSpends,
  LOWEST_DIGEST,
} from '../ledger/verify/check-tables.ts'
import { fromLine, toLine } from '../ledger/verify/checkpoint.ts'
import { LAST_ID, walkChains } from '../ledger/verify/walk-chains.ts'
import { FIND_HOURS } from './verification-queries.ts'
import { recountHour } from './recount.ts'
import { HOUR_MS, type BookTools } from './update-totals.ts'
import { goOn, type OnStep } from './compute-totals.ts'

const LIMITS = { wallets: 500, operations: 1_000 }
const HOURS_MS = 50

/** Where the next portion starts. Stored as JSON, so bigints are strings, and a head is a line as in a checkpoint. */
export type VerifierPosition =
  | { phase: 'wallets'; walletId: string; head?: string | undefined }
  | { phase: 'keys'; digest: string }
  | { phase: 'refunds'; debit: string; refunded: string }
  | { phase: 'holds'; digest: string }
  | { phase: 'hours'; hour: string | null }

export interface Portion {
  /** undefined after the last portion. */
  next: VerifierPosition | undefined
  operations: number
  /** Verification continues after a fault. */
  fault: string | undefined
}

export const FIRST_POSITION: VerifierPosition = { phase: 'wallets', walletId: '1' }

export function verifyPortion(
  tools: BookTools,
  position: VerifierPosition,
  onStep = goOn,
): Promise<Portion> {
  const { backgroundDb: db } = tools
  if (position.phase === 'wallets') return inSnapshot(db, (tx) => verifyWallets(tx, position))
  if (position.phase === 'keys') return verifyKeys(db, position.digest)
  if (position.phase === 'refunds') return inSnapshot(db, (tx) => verifyRefunds(tx, position))
  if (position.phase === 'holds') return inSnapshot(db, (tx) => verifyHolds(tx, position.digest))
  return verifyHours(tools, position.hour, onStep)
}

async function verifyWallets(
  tx: pg.ClientBase,
  { walletId, head }: Extract<VerifierPosition, { phase: 'wallets' }>,
): Promise<Portion> {
  await run(tx, KEEP_MONTHS)
  const range = {
    from: BigInt(walletId),
    head: head === undefined ? undefined : fromLine(head),
    upTo: LAST_ID,
  }
  const { wallets, operations, fault, next } = await walkChains(tx, range, LIMITS)
  const position: VerifierPosition = next
    ? { phase: 'wallets', walletId: String(next.from), head: next.head && toLine(next.head) }
    : { phase: 'keys', digest: LOWEST_DIGEST }
  const portion = await continueUnlessFaulty(position, async () => {
    const ids = wallets.map(({ id }) => id)
    await checkSpends(tx, ids)
    return position
  })
  return { ...portion, operations: operations.length, fault: fault ?? portion.fault }
}

/**
 * The wallets phase found the key of every operation; this phase finds the operation of every key. It is one statement
 * without a snapshot of its own: if it waits while a month is detached, it must see that the month is archived.
 */
async function verifyKeys(db: pg.Pool, after: string): Promise<Portion> {
  return continueUnlessFaulty(positionOf(BEFORE_REFUNDS), async () => {
    const last = await checkKeys(db, after)
    return last === undefined ? undefined : { phase: 'keys', digest: last }
  })
}

function positionOf({ debit, refunded }: typeof BEFORE_REFUNDS): VerifierPosition {
  return { phase: 'refunds', debit, refunded: String(refunded) }
}

/** The wallets phase found the row of every refund; this phase checks the rows. */
async function verifyRefunds(
  tx: pg.ClientBase,
  { debit, refunded }: Extract<VerifierPosition, { phase: 'refunds' }>,
): Promise<Portion> {
  const holds: VerifierPosition = { phase: 'holds', digest: LOWEST_DIGEST }
  return continueUnlessFaulty(holds, async () => {
    const { last } = await checkRefunds(tx, { debit, refunded: BigInt(refunded) })
    return last && positionOf(last)
  })
}

/** The same for holds and their changes. */
async function verifyHolds(tx: pg.ClientBase, after: string): Promise<Portion> {
  return continueUnlessFaulty({ phase: 'hours', hour: null }, async () => {
    const { last } = await checkHolds(tx, after)
    return last === undefined ? undefined : { phase: 'holds', digest: last }
  })
}

/** `check` returns where the same phase continues, or undefined at its end. After a fault the next phase begins. */
async function continueUnlessFaulty(
  nextPhase: VerifierPosition,
  check: () => Promise<VerifierPosition | undefined>,
): Promise<Portion> {
  try {
    return { next: (await check()) ?? nextPhase, operations: 0, fault: undefined }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { next: nextPhase, operations: 0, fault: error.message }
  }
}

/** Counts several hours per portion, because an hour with few operations takes little time. */
async function verifyHours(
  tools: BookTools,
  from: string | null,
  onStep: OnStep,
): Promise<Portion> {
  const startMs = performance.now()
  const bounds = await one(tools.backgroundDb, FIND_HOURS)
  const endMs = bounds?.totalsUpTo.getTime() ?? 0
  let hourMs = from === null ? (bounds?.firstHour?.getTime() ?? endMs) : Date.parse(from)
  let fault: string | undefined
  while (hourMs < endMs && fault === undefined && performance.now() - startMs < HOURS_MS) {
    fault = await recountHour(tools, new Date(hourMs), onStep)
    hourMs += HOUR_MS
  }
  const hour = new Date(hourMs).toISOString()
  return { next: hourMs < endMs ? { phase: 'hours', hour } : undefined, operations: 0, fault }
}
