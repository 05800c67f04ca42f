/**
 * The continuous verifier: verifies the books all the time, a small portion at a time, so that operators learn of a
 * fault early. One process at a time runs it. Its position is in the database, so that another process can continue
 * there. It works for a fixed share of the time only, whatever the machine and the load are.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { one, run } from '../database/statement.ts'
import { balanceBooks } from './balance-books.ts'
import {
  beginRound,
  claimProof,
  endRound,
  READ_PROOF,
  releaseProof,
  saveBalance,
  saveFault,
  saveRound,
  type Proof,
} from './proof-queries.ts'
import type { BookTools } from './roll-up.ts'
import { FIRST_PLACE, walkPortion, type Place } from './walk-books.ts'

/** Longer than any statement can take. Long work renews the claim between its statements. */
const HELD_SECONDS = 90
const RENEW_MS = 20_000
const TRY_AGAIN_MS = 15_000
/** A round over a small ledger is short; one round per minute is enough. */
const ROUND_MS = 60_000
const BALANCE_MS = 60_000
const REST_MIN_MS = 50
const FAILED_MS = 10_000

export interface Prover {
  stop(): Promise<void>
}

/** Works for `percent` percent of the time. */
export function startProver(tools: BookTools, percent: number, firstMs = TRY_AGAIN_MS): Prover {
  const holder = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  async function workUntilStopped() {
    const prover = createProver(tools, holder, signal)
    await rest(firstMs)
    while (!signal.aborted) {
      const startMs = performance.now()
      const state = await prover.work().catch((error: unknown) => {
        if (signal.aborted) return 'failed' as const
        tools.log.warn({ err: error }, 'the continuous verifier failed; it runs again shortly')
        return 'failed' as const
      })
      const workedMs = performance.now() - startMs
      const restMs = Math.max(REST_MIN_MS, (workedMs * (100 - percent)) / percent)
      // It keeps the claim while it waits for long, because otherwise another process would start to work.
      if (state === 'worked' && restMs > TRY_AGAIN_MS) await prover.hold(restMs)
      await rest({ worked: restMs, idle: TRY_AGAIN_MS, failed: FAILED_MS }[state])
    }
    await run(tools.backgroundDb, releaseProof(holder)).catch(() => undefined)
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
export function createProver(tools: BookTools, holder: string, signal?: AbortSignal) {
  const { backgroundDb: db, log, metrics } = tools
  let balanceDueMs = 0
  let renewDueMs = 0

  /** Only the first fault of a round is logged; all are counted. */
  function report(fault: string, earlier: string | null) {
    metrics.countFault()
    if (earlier !== null) return
    log.error({ fault }, 'the books are wrong: run coffer verify and see docs/operations.md')
  }

  async function balance(earlier: string | null) {
    const startMs = performance.now()
    try {
      const result = await balanceBooks(tools, keepClaim)
      if (result?.fault === undefined) {
        if (result) await run(db, saveBalance(holder, result.at, result.operations))
      } else {
        await run(db, saveFault(holder, result.fault))
        report(result.fault, earlier)
      }
    } finally {
      // The balance reads every wallet; the longer it took, the later the next one is due, also after an error.
      const tookMs = performance.now() - startMs
      balanceDueMs = performance.now() + Math.max(BALANCE_MS, 50 * tookMs)
    }
  }

  async function walk(place: Place, earlier: string | null) {
    const { next, operations, fault } = await walkPortion(tools, place, keepClaim)
    if (fault !== undefined) {
      await run(db, saveFault(holder, fault))
      report(fault, earlier)
    }
    await run(db, next ? saveRound(holder, next, operations) : endRound(holder))
  }

  async function claim(seconds: number): Promise<Proof | undefined> {
    renewDueMs = performance.now() + RENEW_MS
    return one(db, claimProof(holder, seconds))
  }

  /** Called between the statements of long work. */
  async function keepClaim() {
    signal?.throwIfAborted()
    if (performance.now() < renewDueMs || (await claim(HELD_SECONDS)) !== undefined) return
    throw new Error('another process has taken over the verification')
  }

  return {
    hold: (restMs: number) => claim(restMs / 1000 + HELD_SECONDS).catch(() => undefined),
    async work(): Promise<'worked' | 'idle'> {
      const proof = await claim(HELD_SECONDS)
      const known = proof ?? (await one(db, READ_PROOF))
      if (known) metrics.setProof(known)
      if (proof === undefined) return 'idle'
      const isInProgress = proof.place !== null
      const beganMsAgo = proof.now.getTime() - (proof.roundBeganAt?.getTime() ?? 0)
      if (!isInProgress && beganMsAgo >= 0 && beganMsAgo < ROUND_MS) return 'idle'
      if (!isInProgress) await run(db, beginRound(holder, FIRST_PLACE))
      const earlier = isInProgress ? proof.roundFault : null
      // Every round starts with the trial balance.
      if (!isInProgress || performance.now() >= balanceDueMs) await balance(earlier)
      else await walk(proof.place as Place, earlier)
      return 'worked'
    },
  }
}
