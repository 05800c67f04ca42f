/** The report of an attack, and whether the service passed. */
import { UNCOUNTED } from './digest-state.ts'
import type { AttackReport } from './run-attack.ts'
import type { Memory } from './watch-memory.ts'

const GROWTH_MAX = 1.2
/** A process that has just started has no useful memory figures. */
const MEASURED_SECONDS = 120

export function faultsOf(report: AttackReport): string[] {
  const { counts, changes, debitStatus, fault, memory, seconds } = report
  const faults = Object.entries(counts.faults).map(([name, { times }]) => `${name} (${times} ×)`)
  const sockets = counts.requests.sockets / (counts.requests.sockets + counts.requests.injected)
  if (sockets < 0.15) faults.push('less than 15 % of the requests went over sockets')
  if (changes.length > 0) faults.push(...changes.map((change) => `changed: ${change}`))
  if (debitStatus !== 200) faults.push(`a normal debit got ${debitStatus} after the attack`)
  if (fault !== undefined) faults.push(`the books are wrong: ${fault}`)
  const hasGrown = growthOf(memory.service) > GROWTH_MAX
  if (hasGrown && seconds >= MEASURED_SECONDS) {
    faults.push(`resident memory grew: ${showMemory(memory.service)}`)
  }
  return faults
}

export function toMarkdown(report: AttackReport, goal: number): string {
  const { counts, seconds, machine, memory } = report
  const { injected, sockets } = counts.requests
  const faults = faultsOf(report)
  const all = injected + sockets
  return `# Hostile input: ${faults.length === 0 ? 'passed' : 'FAILED'}

Seed ${report.seed}, ${seconds.toFixed(0)} s on ${machine.cores} cores with a load average of
${machine.load.toFixed(1)}.${all < goal ? ` The time limit ended the run after ${all} of ${goal} requests.` : ''}

| | |
| --- | --- |
| requests | ${all}, ${(all / seconds).toFixed(0)} per second |
| in-process | ${injected} |
| over sockets to a real process | ${sockets} (${((100 * sockets) / all).toFixed(1)} %) |
${listCounts(counts.kinds)}
| statuses | ${showStatuses(counts.responses)} |
| tables that must not change | ${report.tables}, of which ${report.changes.length} changed |
| resident memory of the real process | ${showMemory(memory.service)} |
| resident memory of the workers, which contain a service | ${memory.workers.map(showMemory).join('; ')} |
| a normal debit afterwards | ${report.debitStatus} |
| the books afterwards | ${report.fault ?? 'correct'} |

Memory is compared between the end of the first minute (of a short run: of its first quarter) and the end;
that of the real process may grow by a fifth. The workers also contain the callers. Not counted as a change:

${Object.entries(UNCOUNTED)
  .map(([table, why]) => `- \`${table}\`: ${why}`)
  .join('\n')}
- \`last_seen_at\` of logins and operators
${faults.length === 0 ? '' : `\n## Faults\n\n${listFaults(report, faults)}\n`}
## Responses

| Route | Responses |
| --- | --- |
${Object.entries(counts.responses)
  .toSorted(([a], [b]) => a.localeCompare(b))
  .map(([route, responses]) => `| ${route} | ${showCounts(responses)} |`)
  .join('\n')}
`
}

function listFaults({ counts }: AttackReport, faults: readonly string[]): string {
  const examples = Object.entries(counts.faults).map(
    ([name, { examples: few }]) =>
      `${name}:\n\n${few.map((each) => `- ${each.replaceAll('`', "'")}`).join('\n')}`,
  )
  return [...faults.map((fault) => `- ${fault}`), '', ...examples].join('\n')
}

function listCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, times]) => `| ${name} | ${times} |`)
    .join('\n')
}

function showCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([response, times]) => `${response}: ${times}`)
    .join(', ')
}

function showStatuses(responses: AttackReport['counts']['responses']): string {
  const statuses: Record<string, number> = {}
  for (const [response, times] of Object.values(responses).flatMap((each) =>
    Object.entries(each),
  )) {
    const [status = ''] = response.split(' ')
    statuses[status] = (statuses[status] ?? 0) + times
  }
  return showCounts(statuses)
}

function growthOf({ earlyBytes, endBytes }: Memory): number {
  return endBytes / earlyBytes
}

function showMemory(memory: Memory): string {
  const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  const times = growthOf(memory).toFixed(2)
  return `${mb(memory.earlyBytes)}, then ${mb(memory.endBytes)}: × ${times}`
}
