/** The report of an upgrade under load, as Markdown and as JSON. */
import { availableParallelism, loadavg } from 'node:os'
import { INVARIANTS } from '../check/findings.ts'
import type { UpgradeReport } from './run-upgrade.ts'

export function toMarkdown(report: UpgradeReport): string {
  const { plan, checkouts, tally, findings, steps, triedAgain } = report
  const { oldCommit } = checkouts
  const from =
    oldCommit === undefined
      ? 'from this version itself, because the history is not in this clone'
      : `from ${oldCommit.slice(0, 7)}`
  const responses = Object.entries(tally.responses).toSorted(([, a], [, b]) => b - a)
  return `# Upgrade under load: ${findings.isSound ? 'passed' : 'FAILED'}

Seed ${plan.seed}, ${plan.clients} clients, two service processes behind ${report.balancer} on ${report.database}, ${from},
on ${availableParallelism()} cores with a load average of ${(loadavg()[0] ?? 0).toFixed(1)}.

| | |
| --- | --- |
| requests recorded | ${tally.requests} |
| definite responses | ${tally.definite} |
| operations in the ledger before the load | ${plan.fillMillions} million |
| operations of the clients | ${tally.operations} |
| pairs in doubt at the end, all resolved by repeating | ${report.doubts} |
| top-ups started, paid | ${tally.topups.started}, ${tally.topups.paid} |

The write gap is the longest time in which no debit or credit got a definite response, from the beginning of
the step until a second after its end.

| Step | Seconds | Longest write gap | Tries |
| --- | --- | --- | --- |
${steps
  .map(({ kind, startMs, endMs, gapMs }) => {
    const tries =
      triedAgain[kind.replace('migration ', '')] ?? (kind.startsWith('migration') ? 1 : '')
    return `| ${kind} | ${((endMs - startMs) / 1000).toFixed(2)} | ${(gapMs / 1000).toFixed(2)} s | ${tries} |`
  })
  .join('\n')}

| Response | Times |
| --- | --- |
${responses.map(([response, times]) => `| ${response} | ${times} |`).join('\n')}

Violations of the twelve invariants: ${findings.list().reduce((sum, { count }) => sum + count, 0)}
${findings
  .list()
  .flatMap(({ invariant, examples }) => [
    `\n${INVARIANTS[invariant]}:\n`,
    ...examples.map((example) => `- ${example}`),
  ])
  .join('\n')}`
}

export function toJson({ findings, checkouts, ...report }: UpgradeReport): string {
  const { oldCommit, migrations } = checkouts
  return JSON.stringify({
    ...report,
    oldCommit,
    migrations,
    isSound: findings.isSound,
    findings: findings.list(),
  })
}
