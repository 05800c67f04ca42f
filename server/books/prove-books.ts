/**
 * The running verifier: verifies the books continuously, a little at a time, so that a fault is known before it does
 * harm. One process at a time does it; the position is in the database, so that the next process continues there. It
 * works only for a share of the time, on any machine and under any load.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { one, run } from '../database/statement.ts'
import { balanceBooks } from './balance-books.ts'
import {
  beginRound,
  claimProof,
  endRound,
  releaseProof,
  saveBalance,
  saveFault,
  saveRound,
} from './proof-queries.ts'
import type { BookTools } from './roll-up.ts'
import { FIRST_PLACE, walkPortion, type Place } from './walk-books.ts'

/** Longer than any portion can take. */
const HELD_SECONDS = 90
const TRY_AGAIN_MS = 15_000
/** Small books are verified quickly; once a minute is enough for them. */
const ROUND_MS = 60_000
const BALANCE_MS = 60_000
const REST_MIN_MS = 50
const FAILED_MS = 10_000

export interface Prover {
  stop(): Promise<void>
}

/** Works for `percent` of the time. */
export function startProver(tools: BookTools, percent: number, firstMs = TRY_AGAIN_MS): Prover {
  const holder = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  async function workUntilStopped() {
    const prover = createProver(tools, holder)
    await rest(firstMs)
    while (!signal.aborted) {
      const startMs = performance.now()
      const state = await prover.work().catch((error: unknown) => {
        tools.log.warn({ err: error }, 'the running verifier failed; it runs again shortly')
        return 'failed' as const
      })
      const workedMs = performance.now() - startMs
      const restMs = Math.max(REST_MIN_MS, (workedMs * (100 - percent)) / percent)
      // During a long rest it keeps the claim, or other processes would work meanwhile.
      if (state === 'worked' && restMs > TRY_AGAIN_MS) await prover.hold(restMs)
      await rest({ worked: restMs, idle: TRY_AGAIN_MS, failed: FAILED_MS }[state])
    }
    await run(tools.db, releaseProof(holder)).catch(() => undefined)
  }
  const running = workUntilStopped()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Each call of `work` does one portion, if this process holds the claim. */
export function createProver(tools: BookTools, holder: string) {
  const { db, log, metrics } = tools
  let balanceDueMs = 0

  /** Only the first fault of a round is logged; all are counted. */
  function report(fault: string, earlier: string | null) {
    metrics.countFault()
    if (earlier !== null) return
    log.error({ fault }, 'the books are not sound: run coffer verify and see docs/operations.md')
  }

  async function balance(earlier: string | null) {
    const startMs = performance.now()
    const result = await balanceBooks(tools)
    if (result?.fault === undefined) {
      if (result) await run(db, saveBalance(holder, result.at, result.operations))
    } else {
      await run(db, saveFault(holder, result.fault))
      report(result.fault, earlier)
    }
    // It reads every wallet: with millions of wallets, the next one follows later.
    const tookMs = performance.now() - startMs
    balanceDueMs = performance.now() + Math.max(BALANCE_MS, 50 * tookMs)
  }

  async function walk(place: Place, earlier: string | null) {
    const { next, operations, fault } = await walkPortion(tools, place)
    if (fault !== undefined) {
      await run(db, saveFault(holder, fault))
      report(fault, earlier)
    }
    await run(db, next ? saveRound(holder, next, operations) : endRound(holder))
  }

  const claim = (seconds: number) => one(db, claimProof(holder, seconds))

  return {
    hold: (restMs: number) => claim(restMs / 1000 + HELD_SECONDS).catch(() => undefined),
    async work(): Promise<'worked' | 'idle'> {
      const proof = await claim(HELD_SECONDS)
      if (proof === undefined) return 'idle'
      const isInProgress = proof.place !== null
      const beganMsAgo = proof.now.getTime() - (proof.roundBeganAt?.getTime() ?? 0)
      if (!isInProgress && beganMsAgo >= 0 && beganMsAgo < ROUND_MS) return 'idle'
      if (!isInProgress) await run(db, beginRound(holder, FIRST_PLACE))
      const earlier = isInProgress ? proof.roundFault : null
      // Every round begins with the balance.
      if (!isInProgress || performance.now() >= balanceDueMs) await balance(earlier)
      else await walk(proof.place as Place, earlier)
      return 'worked'
    },
  }
}
