import { CHECKS } from '@coffer/contract/checks'
import prometheus from 'prom-client'

interface Check {
  name: string
  isOk: boolean
  finishedAt: Date
  succeededAt: Date | null
}

export interface CheckMetrics {
  /** The last results of `coffer check`. */
  setChecks(checks: readonly Check[]): void
}

export function createCheckMetrics(registers: prometheus.Registry[]): CheckMetrics {
  const create = (name: string, help: string, aggregator: 'min' | 'max') =>
    new prometheus.Gauge({ name, help, labelNames: ['check'], aggregator, registers })
  const ok = create(
    'coffer_check_ok',
    '0 if the last run of the check found a problem, otherwise 1.',
    'min',
  )
  const finished = create(
    'coffer_check_finished_at_seconds',
    'Unix time at which the last run of the check ended; 0 if none has.',
    'max',
  )
  const succeeded = create(
    'coffer_check_succeeded_at_seconds',
    'Unix time at which the last run of the check without a problem began; 0 if there was none.',
    'max',
  )
  const setChecks = (checks: readonly Check[]) => {
    for (const name of CHECKS) {
      const check = checks.find((each) => each.name === name)
      ok.set({ check: name }, check?.isOk === false ? 0 : 1)
      finished.set({ check: name }, (check?.finishedAt.getTime() ?? 0) / 1000)
      succeeded.set({ check: name }, (check?.succeededAt?.getTime() ?? 0) / 1000)
    }
  }
  setChecks([])
  return { setChecks }
}
