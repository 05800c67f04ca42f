/**
 * The continuous verifier: verifies the books all the time, a small portion at a time, so that operators learn of a
 * fault early. One process at a time runs it. Its position is in the database, so that another process can continue
 * there. It works for a fixed share of the time only, whatever the machine and the load are.
 */
import type pg from 'pg'
import { openLease, type Lease } from '../database/leases.ts'
import { runPeriodically, delayFor, type PeriodicJob } from '../database/run-periodically.ts'
import { one, run } from '../database/statement.ts'
import type { Context } from '../context.ts'
import { balanceBooks } from './balance-books.ts'
import {
  beginRound,
  END_ROUND,
  READ_VERIFICATION,
  saveBalance,
  saveFault,
  saveRound,
  type VerificationState,
} from './verification-queries.ts'
import type { BookTools } from './update-totals.ts'
import { FIRST_POSITION, verifyPortion, type VerifierPosition } from './verify-portion.ts'

const EVERY_MS = 15_000
/** A round over a small ledger is short; one round per minute is enough. */
const ROUND_MS = 60_000
const BALANCE_MS = 60_000

/** Works for `percent` percent of the time. */
export function startBooksVerifier(
  tools: BookTools & Pick<Context, 'db'>,
  percent: number,
  startsNow = false,
): PeriodicJob {
  const lease = openLease(tools.db, 'verify-books')
  const verifier = createBooksVerifier(tools, lease)
  return runPeriodically(tools, {
    everyMs: EVERY_MS,
    name: 'verify-books',
    startsNow,
    lease,
    async work(signal) {
      const startMs = performance.now()
      return (await verifier.work(signal)) === 'worked' ? delayFor(percent, startMs) : undefined
    },
    withoutLease: () => verifier.updateMetrics(),
  })
}

/** Each call of `work` does one portion. */
export function createBooksVerifier(tools: BookTools, lease: Lease) {
  const { backgroundDb: db, log, metrics } = tools
  let balanceDueMs = 0

  /** A process that has lost the lease must not change the round of another one. */
  function save(...statements: pg.QueryConfig[]): Promise<void> {
    return lease.inTransaction(async (tx) => {
      for (const statement of statements) await run(tx, statement)
    })
  }

  /** Only the first fault of a round is logged; all are counted. */
  function report(fault: string, earlier: string | null) {
    metrics.countFault()
    if (earlier !== null) return
    log.error({ fault }, 'the books are wrong: run coffer verify and see docs/operations.md')
  }

  async function balance(earlier: string | null, onStep: () => Promise<void>) {
    const startMs = performance.now()
    try {
      const result = await balanceBooks(tools, onStep)
      if (result?.fault !== undefined) {
        report(result.fault, earlier)
        await save(saveFault(result.fault))
      } else if (result) {
        await save(saveBalance(result.at, result.operations))
      }
    } finally {
      // The balance reads every wallet; the longer it took, the later the next one is due, also after an error.
      const tookMs = performance.now() - startMs
      balanceDueMs = performance.now() + Math.max(BALANCE_MS, 50 * tookMs)
    }
  }

  async function verifyNext(
    position: VerifierPosition,
    earlier: string | null,
    onStep: () => Promise<void>,
  ) {
    const { next, operations, fault } = await verifyPortion(tools, position, onStep)
    if (fault !== undefined) report(fault, earlier)
    const found = fault === undefined ? [] : [saveFault(fault)]
    await save(...found, next ? saveRound(next, operations) : END_ROUND)
  }

  async function updateMetrics(): Promise<VerificationState> {
    const verification = await one(db, READ_VERIFICATION)
    if (verification === undefined) throw new Error('books.verification has no row')
    metrics.setVerification(verification)
    return verification
  }

  return {
    async updateMetrics() {
      await updateMetrics()
    },
    async work(signal?: AbortSignal): Promise<'worked' | 'idle'> {
      const verification = await updateMetrics()
      const isInProgress = verification.position !== null
      const beganMsAgo = verification.now.getTime() - (verification.roundBeganAt?.getTime() ?? 0)
      if (!isInProgress && beganMsAgo >= 0 && beganMsAgo < ROUND_MS) return 'idle'
      if (!isInProgress) await save(beginRound(FIRST_POSITION))
      const earlier = isInProgress ? verification.roundFault : null
      // Between the statements of long work.
      const onStep = async () => signal?.throwIfAborted()
      // Every round starts with the trial balance.
      if (!isInProgress || performance.now() >= balanceDueMs) await balance(earlier, onStep)
      else await verifyNext(verification.position as VerifierPosition, earlier, onStep)
      return 'worked'
    },
  }
}
