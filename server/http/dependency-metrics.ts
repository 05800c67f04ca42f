/**
 * Metrics of what a process depends on: database connections, mail server, card processor, and the limits because of
 * which it refuses requests.
 */
import type pg from 'pg'
import prometheus from 'prom-client'
import type { Limit } from '../service-error.ts'

export interface DependencyMetrics {
  countMail: (result: 'sent' | 'failed') => void
  /** refused: the processor understood the call and refused it. failed: an outage, an overload, or no response. */
  observeProcessorCall: (result: 'ok' | 'refused' | 'failed', seconds: number) => void
  setWritesPaused(isPaused: boolean): void
  /** A request was refused, because the process or the database has more work than it can do. */
  countOverload(limit: Limit): void
}

export interface Parts {
  version: string
  pools: Record<string, pg.Pool>
}

export function createDependencyMetrics(
  registers: prometheus.Registry[],
  { version, pools }: Parts,
): DependencyMetrics {
  new prometheus.Gauge({
    name: 'coffer_build_info',
    help: 'Always 1; the label is the version of the service.',
    labelNames: ['version'],
    aggregator: 'max',
    registers,
  }).set({ version }, 1)
  const paused = new prometheus.Gauge({
    name: 'coffer_writes_paused',
    help: '1 while an operator has paused all writes, otherwise 0.',
    aggregator: 'max',
    registers,
  })
  const mails = createCounter('coffer_mails_total', 'Emails, by result.', registers, 'result', [
    'sent',
    'failed',
  ])
  const limits: Limit[] = ['event_loop', 'ledger_queue', 'ledger_reads']
  const refusals = createCounter(
    'coffer_overload_refusals_total',
    'Requests that were refused because of an overload, by the limit that was reached.',
    registers,
    'limit',
    limits,
  )
  const calls = new prometheus.Histogram({
    name: 'coffer_processor_call_seconds',
    help: 'Time of calls to the card processor, by result.',
    labelNames: ['result'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3],
    registers,
  })
  for (const result of ['ok', 'refused', 'failed']) calls.zero({ result })
  watchPools(registers, pools)
  return {
    countMail: (result) => mails.inc({ result }),
    observeProcessorCall: (result, seconds) => calls.observe({ result }, seconds),
    setWritesPaused: (isPaused) => paused.set(isPaused ? 1 : 0),
    countOverload: (limit) => refusals.inc({ limit }),
  }
}

/** Every series begins at 0: an alert on the increase would miss the first event of a series that does not exist. */
function createCounter(
  name: string,
  help: string,
  registers: prometheus.Registry[],
  label: string,
  values: readonly string[],
): prometheus.Counter {
  const counter = new prometheus.Counter({ name, help, labelNames: [label], registers })
  for (const value of values) counter.inc({ [label]: value }, 0)
  return counter
}

function watchPools(registers: prometheus.Registry[], pools: Record<string, pg.Pool>) {
  const gauges: [string, string, (pool: pg.Pool) => number][] = [
    ['connections_max', 'Connections that a pool may open.', ({ options }) => options.max],
    [
      'connections_used',
      'Connections of a pool that are in use.',
      ({ totalCount, idleCount }) => totalCount - idleCount,
    ],
    [
      'waiting_requests',
      'Queries that wait for a connection of a pool.',
      ({ waitingCount }) => waitingCount,
    ],
  ]
  for (const [name, help, read] of gauges) {
    new prometheus.Gauge({
      name: `coffer_pool_${name}`,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [pool, each] of Object.entries(pools)) this.set({ pool }, read(each))
      },
    })
  }
}
