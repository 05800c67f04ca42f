/** Runs the background jobs on the audit log: verifying it, and writing it to AUDIT_LOG_FILE. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { Fault } from '../../ledger/check-chain.ts'
import type { AuditTask } from './chain-queries.ts'
import { holdTask, type HeldTask } from './hold-task.ts'
import { streamPortion } from './stream-audit.ts'
import { verifyInPages } from './verify-audit.ts'

const IDLE_MS = 15_000
const FAILED_MS = 10_000
const POLL_MS = 1_000
/** A round over a short log is quick; one round per minute is enough. */
const ROUND_MS = 60_000
const REST_MIN_MS = 50

type AuditTools = Pick<Context, 'backgroundDb' | 'log' | 'metrics' | 'config'>
/** Returns how long to rest. */
type Work = (task: HeldTask) => Promise<number>

export interface AuditKeeper {
  stop(): Promise<void>
}

export function keepAudit(tools: AuditTools): AuditKeeper {
  const { auditLogFile, verifyPercent } = tools.config
  const jobs: AuditKeeper[] = []
  if (verifyPercent > 0) jobs.push(startJob(tools, 'verify', createVerifier(tools)))
  if (auditLogFile !== undefined) {
    jobs.push(startJob(tools, 'stream', (task) => stream(tools, auditLogFile, task)))
  }
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

function startJob(tools: AuditTools, name: AuditTask, work: Work): AuditKeeper {
  const { backgroundDb: db, log } = tools
  const stopping = new AbortController()
  const { signal } = stopping
  const task = holdTask(db, name)
  async function workUntilStopped() {
    for (let restMs = 0; !signal.aborted;) {
      await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) break
      restMs = await work(task).catch((error: unknown) => {
        log.warn({ task: name, err: error }, 'a job on the audit log failed; it runs again shortly')
        return FAILED_MS
      })
    }
    await task.release().catch(() => undefined)
  }
  const running = workUntilStopped()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function stream(tools: AuditTools, file: string, task: HeldTask): Promise<number> {
  const hasMore = await streamPortion(tools, file, task)
  if (hasMore === undefined) return IDLE_MS
  return hasMore ? 0 : POLL_MS
}

/** Each call verifies a page, for VERIFY_PERCENT of the time. */
export function createVerifier({ backgroundDb: db, log, metrics, config }: AuditTools): Work {
  const { verifyPercent } = config
  let round: ReturnType<typeof verifyInPages> | undefined
  let beganAt = new Date()

  async function verifyPage(task: HeldTask): Promise<boolean> {
    if (round === undefined) beganAt = new Date()
    round ??= verifyInPages(db)
    const { done, value } = await round.next()
    if (!done) return false
    await task.save(value)
    metrics.setAuditVerified(beganAt)
    return true
  }

  return async (task) => {
    const head = await task.hold()
    if (head === undefined) {
      round = undefined
      return IDLE_MS
    }
    const startMs = performance.now()
    let isRoundDone = false
    try {
      isRoundDone = await verifyPage(task)
    } catch (error) {
      round = undefined
      if (!(error instanceof Fault)) throw error
      metrics.countAuditFault()
      const fault = error.message
      log.error({ fault }, 'the audit log is wrong: run coffer verify and see docs/operations.md')
      return ROUND_MS
    }
    if (isRoundDone) round = undefined
    const workedMs = performance.now() - startMs
    const restMs = (workedMs * (100 - verifyPercent)) / verifyPercent
    return isRoundDone ? ROUND_MS : Math.max(REST_MIN_MS, restMs)
  }
}
