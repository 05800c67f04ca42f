/** The report of a loss and its restores, as Markdown and as JSON. */
import { availableParallelism, loadavg } from 'node:os'
import { INVARIANTS } from '../check/findings.ts'
import type { Restored } from './restore-database.ts'
import type { Loss, RestorePlan } from './lose-database.ts'
import type { Archive } from './watch-wal.ts'

export interface RestoreReport {
  plan: RestorePlan
  loss: Loss
  archive: Archive
  restored: readonly Restored[]
}

export function isSound({ restored }: RestoreReport): boolean {
  return restored.every(isRestored)
}

function isRestored({ acknowledged, missing, tooNew, findings }: Restored): boolean {
  return acknowledged > 0 && missing === 0 && tooNew === 0 && findings.isSound
}

export function toMarkdown(report: RestoreReport): string {
  const { plan, loss, archive, restored } = report
  const { journal, backupSeconds } = loss
  const latest = restored.at(-1)
  return `# Backup and restore: ${isSound(report) ? 'passed' : 'FAILED'}

Seed ${plan.seed}, ${plan.clients} clients, three times ${plan.seconds} s of load, on ${availableParallelism()} cores with a
load average of ${(loadavg()[0] ?? 0).toFixed(1)}. The database was killed and its disk removed; all that was left is the
repository of pgBackRest: a backup, taken under load, and the archived WAL (\`archive_timeout\` ${plan.archiveTimeoutSeconds} s).

| | |
| --- | --- |
| definite responses before the loss | ${journal.definiteCount} |
| backup under load | ${backupSeconds.toFixed(1)} s |
| repository | ${(archive.bytes / 1e6).toFixed(0)} MB |
| not yet archived when the disk was lost | the last ${lostSeconds(report).toFixed(1)} s: ${latest?.lostLater ?? 0} acknowledged operations |

| Restored | Seconds | Operations | Acknowledged in time | Missing | Too new | Sent again | Violations |
| --- | --- | --- | --- | --- | --- | --- | --- |
${restored.map(toRow).join('\n')}

Seconds include restoring the files, replaying the WAL, and verifying all books against a checkpoint that
was signed before the backup. Afterwards the service started on the restored database, unknown outcomes
were resolved, decided pairs were sent again, new debits and credits were posted, and all twelve invariants
were checked.
${restored.flatMap(toViolations).join('\n')}`
}

function lostSeconds({ loss, archive }: RestoreReport): number {
  const mark = loss.marks.findLast(({ position }) => position <= archive.endPosition)
  return (loss.disasterMs - (mark?.atMs ?? 0)) / 1000
}

function toRow(each: Restored): string {
  const { name, seconds, operations, acknowledged, missing, tooNew, replayed, findings } = each
  const violations = findings.list().reduce((sum, { count }) => sum + count, 0)
  const cells = [operations, acknowledged, missing, tooNew, replayed, violations]
  return `| ${name} | ${seconds.toFixed(1)} | ${cells.join(' | ')} |`
}

function toViolations({ name, findings }: Restored): string[] {
  return findings
    .list()
    .flatMap(({ invariant, examples }) => [
      `\n${name}, ${INVARIANTS[invariant]}:\n`,
      ...examples.map((example) => `- ${example}`),
    ])
}

export function toJson(report: RestoreReport): string {
  const { plan, loss, archive, restored } = report
  return JSON.stringify({
    plan,
    isSound: isSound(report),
    definiteResponses: loss.journal.definiteCount,
    backupSeconds: loss.backupSeconds,
    repositoryBytes: archive.bytes,
    lostSeconds: lostSeconds(report),
    restored: restored.map(({ findings, ...each }) => ({ ...each, findings: findings.list() })),
  })
}
