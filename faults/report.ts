/** The report of an audit, as Markdown and as JSON. */
import type { AuditReport } from './audit.ts'
import { INVARIANTS, type Invariant } from './check/findings.ts'
import { countFailovers } from './inject/schedule-faults.ts'

export function toMarkdown(report: AuditReport): string {
  const { tally, seconds, findings } = report
  const rate = tally.definite / seconds.load
  const total = Object.values(seconds).reduce((sum, each) => sum + each, 0)
  const done = report.faults.filter(({ failure }) => failure === undefined)
  return `# Audit under faults: ${findings.isSound ? 'passed' : 'FAILED'}

Seed ${report.seed}, on ${report.database};
in front of two service processes ${report.balancer}; ${total.toFixed(0)} s in total (${toPhases(seconds)}),
on ${report.machine.cores} cores with a load average of ${report.machine.load.toFixed(1)}.
${toShortfall(report)}
| | |
| --- | --- |
| requests recorded | ${tally.requests} |
| definite responses | ${tally.definite}, ${rate.toFixed(0)} per second with all faults |
| operations in the ledger | ${tally.operations} |
| recorded refusals | ${tally.refusals} (${(100 * tally.refusedDebitShare).toFixed(1)} % of the debits for lack of money) |
| pairs in doubt when the faults were over | ${report.doubts} |
| top-ups started, paid | ${tally.topups.started}, ${tally.topups.paid} |
| disputes, refunds at the processor | ${tally.disputes}, ${tally.refunds} |
| longest time from payment to wallet | ${report.slowestCreditSeconds.toFixed(1)} s |
| events in feeds and webhooks | ${report.events} |
| starts of service processes | ${tally.serviceStarts} |
| faults | ${done.length} |
| failovers | ${countFailovers(report.faults)} |

## Responses

| Response | Times |
| --- | --- |
${Object.entries(tally.responses)
  .toSorted(([, a], [, b]) => b - a)
  .map(([response, times]) => `| ${response} | ${times} |`)
  .join('\n')}

## Faults

The write gap is the longest time in which no debit or credit got a definite response, from the fault
until a second after its cause was gone. Faults of the processor stop no writes and have no gap.

| Fault | Times | Failovers | Longest write gap | Goal |
| --- | --- | --- | --- | --- |
${toFaultRows(report)}

## Invariants

| | Invariant | Violations |
| --- | --- | --- |
${Object.entries(INVARIANTS)
  .map(
    ([key, text]) => `| ${key} | ${text} | ${findings.counts.get(Number(key) as Invariant) ?? 0} |`,
  )
  .join('\n')}
${findings
  .list()
  .map(
    ({ invariant, examples }) =>
      `\n${invariant}:\n\n${examples.map((each) => `- ${each}`).join('\n')}\n`,
  )
  .join('')}${toErrors(report)}`
}

/** Only if something was wrong: some operations fail on purpose. */
function toErrors({ findings, errors }: AuditReport): string {
  if (findings.isSound || errors.size === 0) return ''
  const rows = [...errors].map(([cause, times]) => `| ${cause.replaceAll('|', ' ')} | ${times} |`)
  return `\nErrors in the logs of the services:\n\n| Error | Times |\n| --- | --- |\n${rows.join('\n')}\n`
}

function toPhases({ prepare, load, resolve, check }: AuditReport['seconds']): string {
  const phases = Object.entries({ start: prepare, load, resolving: resolve, checking: check })
  return phases.map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`).join(', ')
}

/** Empty if everything that was planned was done. */
function toShortfall({ tally, faults, goal }: AuditReport): string {
  const injected = faults.filter(({ failure }) => failure === undefined)
  const parts = [
    { what: 'definite responses', done: tally.definite, wanted: goal.operations },
    { what: 'faults', done: injected.length, wanted: goal.ledgerFaults + goal.processorFaults },
    { what: 'failovers', done: countFailovers(faults), wanted: goal.failovers ?? 0 },
  ]
  const short = parts.filter(({ done, wanted }) => done < wanted)
  if (short.length === 0) return ''
  const shortfalls = short.map(({ what, done, wanted }) => `${done} of ${wanted} ${what}`)
  return `\nThe time limit ended the run early: ${shortfalls.join(', ')}.\n`
}

interface KindRow {
  times: number
  failovers: number
  gapMs: number
  isLedger: boolean
}

function toFaultRows({ faults }: AuditReport): string {
  const kinds = new Map<string, KindRow>()
  for (const { kind, track, gapMs, failovers, failure } of faults) {
    const name = failure === undefined ? kind : `${kind} (could not be injected: ${failure})`
    const known = kinds.get(name)
    kinds.set(name, {
      times: (known?.times ?? 0) + 1,
      failovers: (known?.failovers ?? 0) + failovers,
      gapMs: Math.max(known?.gapMs ?? 0, gapMs),
      isLedger: track === 'ledger',
    })
  }
  return [...kinds]
    .toSorted(([, a], [, b]) => Number(b.isLedger) - Number(a.isLedger))
    .map(([kind, { times, failovers, gapMs, isLedger }]) => {
      const gap = isLedger ? `${(gapMs / 1000).toFixed(2)} s` : ''
      return `| ${kind} | ${times} | ${failovers || ''} | ${gap} | ${toGoal(kind, gapMs)} |`
    })
    .join('\n')
}

/** The longest acceptable write gap in seconds; other kinds of faults have no goal. */
export function goalOf(kind: string): number | undefined {
  if (/^(all )?services? (killed|restarted)/.test(kind)) return 2
  if (kind === 'planned switchover') return 5
  // From the start of the fault, because new connections work.
  if (kind.startsWith('connections muted') || kind.startsWith('host name')) return 15
  return /^(primary|Patroni of the primary)/.test(kind) ? 30 : undefined
}

function toGoal(kind: string, gapMs: number): string {
  const seconds = goalOf(kind)
  if (seconds === undefined) return ''
  return `${seconds} s${gapMs > seconds * 1000 ? ', missed' : ''}`
}

export function toJson({ findings, errors, ...report }: AuditReport): string {
  return JSON.stringify({
    ...report,
    errors: Object.fromEntries(errors),
    isSound: findings.isSound,
    findings: findings.list(),
  })
}
