import { fastify, type FastifyInstance } from 'fastify'
import prometheus from 'prom-client'
import { createAuditMetrics, type AuditMetrics } from './audit-metrics.ts'
import { createCheckMetrics, type CheckMetrics } from './check-metrics.ts'
import { createTrafficCounter, type TrafficCounter } from './count-traffic.ts'
import {
  createDependencyMetrics,
  type DependencyMetrics,
  type Parts,
} from './dependency-metrics.ts'
import { createEventMetrics, type EventMetrics } from './event-metrics.ts'

export interface ObservedRequest {
  method: string
  route: string
  status: number
  /** The error code, if it was refused. */
  code: string | null
}

export interface Metrics extends DependencyMetrics, AuditMetrics, CheckMetrics, EventMetrics {
  registry: prometheus.Registry
  /** The numbers behind the overview of the admin area. */
  traffic: TrafficCounter
  observeRequest(request: ObservedRequest, seconds: number): void
  /** The status of an operation in a batch request, whose own status is 200. */
  countBatchResult(status: number): void
  observeBatch(batch: { size: number; durationMs: number }): void
  countBatchRetry(): void
  /** Operations that were written after the totals of their hour were complete. */
  countLate(operations: number): void
  countFault(): void
  setTotalsUpTo(to: Date): void
  /** The clock of the database was set back or ahead. */
  countClockStep(): void
  setPartitions(partitions: { monthsAhead: number; strayRows: number }): void
  /** Expired rows that were deleted. */
  countPruned(kind: string, rows: number): void
  /** The debits of a client app exceeded the alert threshold. */
  countDebitAlert(): void
  /** When the continuous verifier last found the books balanced and verified; null if it never has. */
  setVerification(state: { balancedAt: Date | null; verifiedAt: Date | null }): void
}

export function createMetrics(parts: Parts & { queueSize: () => number }): Metrics {
  const registry = new prometheus.Registry()
  const registers = [registry]
  prometheus.collectDefaultMetrics({ register: registry })
  const requests = new prometheus.Histogram({
    name: 'coffer_request_seconds',
    help: 'Response time of requests, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  new prometheus.Gauge({
    name: 'coffer_ledger_queue_operations',
    help: 'Operations waiting for a lane.',
    registers,
    collect() {
      this.set(parts.queueSize())
    },
  })
  /** Finding a series by its labels is slower than counting; there are few of them. */
  const known = new Map<string, prometheus.Histogram.Internal<string>>()
  const traffic = createTrafficCounter()
  return {
    registry,
    traffic,
    observeRequest({ method, route, status, code }, seconds) {
      const name = `${method} ${route} ${status}`
      let series = known.get(name)
      if (series === undefined) {
        series = requests.labels(method, route, String(status))
        known.set(name, series)
      }
      series.observe(seconds)
      traffic.count(route, status, code, seconds)
    },
    ...createBatchMetrics(registers),
    ...createBookMetrics(registers),
    ...createMaintenanceMetrics(registers),
    ...createAuditMetrics(registers),
    ...createCheckMetrics(registers),
    ...createEventMetrics(registers),
    ...createDependencyMetrics(registers, parts),
  }
}

/** Of batches of the ledger, and of the batches that client apps send. */
function createBatchMetrics(
  registers: prometheus.Registry[],
): Pick<Metrics, 'countBatchResult' | 'observeBatch' | 'countBatchRetry'> {
  const batchResults = new prometheus.Counter({
    name: 'coffer_batch_results_total',
    help: 'Operations of batch requests, by the status of their result.',
    labelNames: ['status'],
    registers,
  })
  // Begin at 0, so that an alert on the increase notices the first one.
  for (const status of [200, 500, 503]) batchResults.inc({ status }, 0)
  const batchSizes = new prometheus.Histogram({
    name: 'coffer_ledger_batch_operations',
    help: 'Operations that share one database transaction.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const batchSeconds = new prometheus.Histogram({
    name: 'coffer_ledger_batch_seconds',
    help: 'Time from the first statement of a batch to its commit.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const batchRetries = new prometheus.Counter({
    name: 'coffer_ledger_batch_retries_total',
    help: 'Retries of batches: the database was unreachable, a commit was not confirmed, or a required standby was missing.',
    registers,
  })
  return {
    countBatchResult: (status) => batchResults.inc({ status }),
    observeBatch({ size, durationMs }) {
      batchSizes.observe(size)
      batchSeconds.observe(durationMs / 1000)
    },
    countBatchRetry: () => batchRetries.inc(),
  }
}

function createBookMetrics(
  registers: prometheus.Registry[],
): Pick<
  Metrics,
  'countLate' | 'countFault' | 'setTotalsUpTo' | 'countClockStep' | 'setVerification'
> {
  const late = new prometheus.Counter({
    name: 'coffer_books_late_operations_total',
    help: 'Operations added to the totals of an hour that was already rolled up, because the clock of the database was set back.',
    registers,
  })
  const faults = new prometheus.Counter({
    name: 'coffer_books_faults_total',
    help: 'Inconsistent rows that the continuous verifier found. Any value above 0 needs investigation.',
    registers,
  })
  const totalsUpTo = new prometheus.Gauge({
    name: 'coffer_books_totals_up_to_seconds',
    help: 'Unix time up to which the totals contain every operation.',
    aggregator: 'max',
    registers,
  })
  const clockSteps = new prometheus.Counter({
    name: 'coffer_clock_steps_total',
    help: 'Steps of the clock of the database, back or ahead, by more than two seconds.',
    registers,
  })
  const balanced = new prometheus.Gauge({
    name: 'coffer_books_balanced_at_seconds',
    help: 'Unix time at which the continuous verifier last found the books balanced; 0 if it never has.',
    aggregator: 'max',
    registers,
  })
  const verified = new prometheus.Gauge({
    name: 'coffer_books_verified_at_seconds',
    help: 'Unix time at which the last complete round of the continuous verifier without a fault began; 0 if there was none.',
    aggregator: 'max',
    registers,
  })
  const setTime = (gauge: prometheus.Gauge, at: Date | null) =>
    gauge.set((at?.getTime() ?? 0) / 1000)
  return {
    setVerification({ balancedAt, verifiedAt }) {
      setTime(balanced, balancedAt)
      setTime(verified, verifiedAt)
    },
    countLate: (operations) => late.inc(operations),
    countFault: () => faults.inc(),
    setTotalsUpTo: (to) => totalsUpTo.set(to.getTime() / 1000),
    countClockStep: () => clockSteps.inc(),
  }
}

function createMaintenanceMetrics(
  registers: prometheus.Registry[],
): Pick<Metrics, 'setPartitions' | 'countPruned' | 'countDebitAlert'> {
  const pruned = new prometheus.Counter({
    name: 'coffer_pruned_rows_total',
    help: 'Expired rows that were deleted, by kind.',
    labelNames: ['kind'],
    registers,
  })
  const ahead = new prometheus.Gauge({
    name: 'coffer_ledger_partitions_ahead',
    help: 'Months after the current one that have a partition; -1: the current month has none.',
    aggregator: 'min',
    registers,
  })
  const strays = new prometheus.Gauge({
    name: 'coffer_ledger_default_partition_rows',
    help: 'Operations in the default partition, counted up to 100 000. It should be empty.',
    aggregator: 'max',
    registers,
  })
  const debitAlerts = new prometheus.Counter({
    name: 'coffer_debit_alerts_total',
    help: 'Hours in which the debits of a client app exceeded the alert threshold.',
    registers,
  })
  return {
    countDebitAlert: () => debitAlerts.inc(),
    setPartitions({ monthsAhead, strayRows }) {
      ahead.set(monthsAhead)
      strays.set(strayRows)
    },
    countPruned: (kind, rows) => pruned.inc({ kind }, rows),
  }
}

/** Only metrics, for a port that the public cannot reach. */
export function createMetricsServer(
  metrics: Metrics,
  collect: () => Promise<string>,
): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true })
  mountMetrics(app, metrics, collect)
  return app
}

/**
 * With several processes, `collect` returns the metrics of all of them, whichever process handles the request. It
 * returns nothing if one of them does not respond, for example while it starts: then the monitoring must not record a
 * gap as 200.
 */
export function mountMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  collect: () => Promise<string>,
) {
  app.get('/metrics', async (_request, reply) => {
    const text = await collect()
    if (text === '') return reply.code(503).send('A process does not respond. Try again.\n')
    reply.header('Content-Type', metrics.registry.contentType)
    return text
  })
}
