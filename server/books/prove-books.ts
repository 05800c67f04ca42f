/**
 * The running verifier: proves the books over and over, a little at a time, so that a fault is known before anybody
 * suffers from it. One process at a time has the turn; where the walk is stands in the database, so that the next
 * one goes on there. It works only for a share of the time, whatever the machine and however busy it is.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { balanceBooks } from './balance-books.ts'
import {
  beginRound,
  claimProof,
  endRound,
  releaseProof,
  saveBalance,
  saveFault,
  saveRound,
  type ProofRow,
} from './proof-queries.ts'
import type { BookTools } from './roll-up.ts'
import { FIRST_PLACE, walkPortion, type Place } from './walk-books.ts'

/** Longer than any portion may take. */
const HELD_SECONDS = 90
const ASK_AGAIN_MS = 15_000
/** Small books are walked in a moment; once a minute is enough for them. */
const ROUND_MS = 60_000
const BALANCE_MS = 60_000
const PAUSE_MIN_MS = 50
const FAILED_MS = 10_000

export interface Prover {
  stop(): Promise<void>
}

/** `percent` of the time goes into it. */
export function startProver(tools: BookTools, percent: number, firstMs = ASK_AGAIN_MS): Prover {
  const holder = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  async function run() {
    const prover = createProver(tools, holder)
    await pause(firstMs)
    while (!signal.aborted) {
      const startMs = performance.now()
      const state = await prover.work().catch((error: unknown) => {
        tools.log.warn({ err: error }, 'the running verifier tries again in a moment')
        return 'failed' as const
      })
      const workedMs = performance.now() - startMs
      const restMs = Math.max(PAUSE_MIN_MS, (workedMs * (100 - percent)) / percent)
      // Who rests for long keeps the turn, or the others would not rest.
      if (state === 'worked' && restMs > ASK_AGAIN_MS) await prover.hold(restMs)
      await pause({ worked: restMs, idle: ASK_AGAIN_MS, failed: FAILED_MS }[state])
    }
    await tools.db.query(releaseProof(holder)).catch(() => undefined)
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Does one portion of the work whenever it is told to, if it is its turn. */
export function createProver(tools: BookTools, holder: string) {
  const { db, log, metrics } = tools
  let balanceDueMs = 0

  /** The first one of a round is enough for the log; all are counted. */
  function report(fault: string, earlier: string | null) {
    metrics.countFault()
    if (earlier !== null) return
    log.error({ fault }, 'the books are not sound: run coffer verify and see docs/operations.md')
  }

  async function balance(earlier: string | null) {
    const startMs = performance.now()
    const result = await balanceBooks(tools)
    if (result?.fault === undefined) {
      if (result) await db.query(saveBalance(holder, result.at, result.operations))
    } else {
      await db.query(saveFault(holder, result.fault))
      report(result.fault, earlier)
    }
    // It reads every wallet: where there are millions of them it waits longer for its next turn.
    const tookMs = performance.now() - startMs
    balanceDueMs = performance.now() + Math.max(BALANCE_MS, 50 * tookMs)
  }

  async function walk(place: Place, earlier: string | null) {
    const { next, operations, fault } = await walkPortion(tools, place)
    if (fault !== undefined) {
      await db.query(saveFault(holder, fault))
      report(fault, earlier)
    }
    await db.query(next ? saveRound(holder, next, operations) : endRound(holder))
  }

  const claim = (seconds: number) => db.query<ProofRow>(claimProof(holder, seconds))

  return {
    hold: (restMs: number) => claim(restMs / 1000 + HELD_SECONDS).catch(() => undefined),
    async work(): Promise<'worked' | 'idle'> {
      const [proof] = (await claim(HELD_SECONDS)).rows
      if (proof === undefined) return 'idle'
      const isUnderWay = proof.place !== null
      const beganMsAgo = proof.now.getTime() - (proof.round_began_at?.getTime() ?? 0)
      if (!isUnderWay && beganMsAgo >= 0 && beganMsAgo < ROUND_MS) return 'idle'
      if (!isUnderWay) await db.query(beginRound(holder, FIRST_PLACE))
      const earlier = isUnderWay ? proof.round_fault : null
      // Every round begins with the balance.
      if (!isUnderWay || performance.now() >= balanceDueMs) await balance(earlier)
      else await walk(proof.place as Place, earlier)
      return 'worked'
    },
  }
}
