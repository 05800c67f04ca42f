/**
 * Completes the keys that were written before keys carried outcomes (decision 34), in portions of some milliseconds.
 * The database holds the position, lets one process work at a time and sets the pace, so a process that dies loses
 * nothing. The work ends for good after the last key.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { one } from '../database/statement.ts'
import { backfillOutcomes } from '../ledger/decision-queries.ts'
import type { BookTools } from './roll-up.ts'

const KEYS = 1_000
const REST_MIN_MS = 20
const FAILED_MS = 10_000

export interface Backfill {
  stop(): Promise<void>
}

export function startBackfill(tools: BookTools, keys = KEYS): Backfill {
  const stopping = new AbortController()
  const { signal } = stopping
  async function workUntilDone() {
    for (let isDone = false; !isDone && !signal.aborted;) {
      const { restMs, ...state } = await backfillPortion(tools, keys).catch((error: unknown) => {
        tools.log.warn({ err: error }, 'completing old keys failed; it runs again shortly')
        return { isDone: false, restMs: FAILED_MS }
      })
      isDone = state.isDone
      if (!isDone) await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const running = workUntilDone()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function backfillPortion({ db, log, metrics }: BookTools, keys: number) {
  const portion = await one(db, backfillOutcomes(keys))
  if (portion === undefined) throw new Error('ledger.backfill_outcomes returned no row')
  const { filled, lost, progress, waitMs } = portion
  metrics.observeBackfill(filled, progress)
  if (lost > 0) {
    log.error({ lost }, 'keys have neither an outcome nor an operation: run coffer verify')
  }
  return { isDone: progress === 1, restMs: Math.max(REST_MIN_MS, waitMs) }
}
