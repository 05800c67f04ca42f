/**
 * Upgrade: processes of the last version with fewer migrations serve under load, `coffer migrate` applies the new
 * migrations one by one, then each process is replaced by one of this version. Every request must get a response, if
 * necessary after a repeat, and the books must be correct.
 *
 *   npm run faults:upgrade                      within three minutes
 *   npm run faults:upgrade -- --old COMMIT      from that version
 *   npm run faults:upgrade -- --seconds 2       seconds of load before, between and after the steps
 *   npm run faults:upgrade -- --clients 24      number of parallel clients
 *   npm run faults:upgrade -- --fill 10        10 million operations in the ledger before the upgrade
 *   npm run faults:upgrade -- --seed 7          the same clients
 *   npm run faults:upgrade -- --report FOLDER   also writes upgrade.md and upgrade.json there
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeCheckouts } from './upgrade/make-checkouts.ts'
import { toJson, toMarkdown } from './upgrade/report.ts'
import { runUpgrade } from './upgrade/run-upgrade.ts'

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    clients: { type: 'string', default: '96' },
    fill: { type: 'string', default: '0' },
    seed: { type: 'string' },
    report: { type: 'string' },
  },
})

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

const plan = {
  seed: Number(values.seed ?? randomInt(2 ** 31)),
  seconds: Number(values.seconds),
  clients: Number(values.clients),
  fillMillions: Number(values.fill),
}
print(`Seed ${plan.seed}`)
const folder = mkdtempSync(join(tmpdir(), 'coffer-faults-upgrade-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const checkouts = makeCheckouts(folder, values.old)
print(
  checkouts.oldCommit === undefined
    ? 'SKIPPED: the history is not in this clone; this version is used as the old one'
    : `The old version is ${checkouts.oldCommit.slice(0, 7)}`,
)
const report = await runUpgrade(plan, checkouts, print)
print(`\n${toMarkdown(report)}`)
if (values.report !== undefined) {
  mkdirSync(values.report, { recursive: true })
  writeFileSync(join(values.report, 'upgrade.md'), toMarkdown(report))
  writeFileSync(join(values.report, 'upgrade.json'), toJson(report))
}
if (!report.findings.isSound) process.exitCode = 1
