/** Runs the background jobs on the audit log: verifying it, and writing it to AUDIT_LOG_FILE. */
import type { Context } from '../../context.ts'
import { openLease, type Lease } from '../../database/leases.ts'
import { runPeriodically, delayFor, type PeriodicJob } from '../../database/run-periodically.ts'
import { run } from '../../database/statement.ts'
import { Fault } from '../../ledger/verify/check-chain.ts'
import { saveTask } from './chain-queries.ts'
import { streamPortion } from './stream-audit.ts'
import { verifyInPages } from './verify-audit.ts'

const STREAM_MS = 1_000
/** A round over a short log is quick; one round per minute is enough. */
const ROUND_MS = 60_000

type AuditTools = Pick<Context, 'db' | 'backgroundDb' | 'log' | 'metrics' | 'config'>

export function startAuditJobs(tools: AuditTools): PeriodicJob {
  const { auditLogFile, verifyPercent } = tools.config
  const jobs: PeriodicJob[] = []
  if (verifyPercent > 0) jobs.push(startVerifier(tools, verifyPercent))
  if (auditLogFile !== undefined) jobs.push(startStream(tools, auditLogFile))
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

function startStream(tools: AuditTools, file: string): PeriodicJob {
  const lease = openLease(tools.db, 'stream-audit')
  return runPeriodically(tools, {
    everyMs: STREAM_MS,
    name: 'stream-audit',
    startsNow: true,
    lease,
    async work() {
      return (await streamPortion(tools, file, lease)) ? 0 : undefined
    },
    withoutLease: () => tools.metrics.setAuditFileLag(0),
  })
}

/** Each round verifies a page, for VERIFY_PERCENT of the time. */
function startVerifier(tools: AuditTools, percent: number): PeriodicJob {
  const lease = openLease(tools.db, 'verify-audit')
  const verifier = createVerifier(tools, lease)
  return runPeriodically(tools, {
    everyMs: ROUND_MS,
    name: 'verify-audit',
    startsNow: true,
    lease,
    async work() {
      const startMs = performance.now()
      return (await verifier.verifyPage()) ? ROUND_MS : delayFor(percent, startMs)
    },
    withoutLease: verifier.startAgain,
  })
}

export function createVerifier({ backgroundDb: db, log, metrics }: AuditTools, lease: Lease) {
  let pages: ReturnType<typeof verifyInPages> | undefined
  let beganAt = new Date()

  function startAgain() {
    pages = undefined
  }

  async function verifyNext(): Promise<boolean> {
    if (pages === undefined) beganAt = new Date()
    pages ??= verifyInPages(db)
    const { done, value } = await pages.next()
    if (!done) return false
    await lease.inTransaction((tx) => run(tx, saveTask('verify', value)))
    metrics.setAuditVerified(beganAt)
    return true
  }

  return {
    startAgain,
    /** Returns whether it was the last page, or has a fault. */
    async verifyPage(): Promise<boolean> {
      try {
        const isDone = await verifyNext()
        if (isDone) startAgain()
        return isDone
      } catch (error) {
        startAgain()
        if (!(error instanceof Fault)) throw error
        metrics.countAuditFault()
        const fault = error.message
        log.error(
          { fault },
          'the audit log failed verification: run coffer verify and see docs/operations.md',
        )
        return true
      }
    },
  }
}
