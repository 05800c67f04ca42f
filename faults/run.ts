/**
 * The audit under faults: no acknowledged operation is lost, none is applied twice, no balance is wrong.
 *
 *   npm run faults                     per commit: 100 000 operations, 22 faults and those of the processor, in 5 minutes
 *   npm run faults -- --cluster        the same on a PostgreSQL cluster that fails over
 *   npm run faults -- --long           on the cluster: 2 million operations, 210 faults, 30 failovers
 *   npm run faults -- --in-doubt       a commit in doubt, a replay, a failover; 50 times, or --times N
 *   npm run faults -- --seed 7         the same clients and faults as in an earlier run
 *   npm run faults -- --seconds 20     at most this long, even if fewer operations are reached
 *   npm run faults -- --operations 5000 --faults 3 --clients 20   other sizes; --faults does not count processor faults
 *   npm run faults -- --only TEXT      only faults whose name contains the text
 *   npm run faults -- --report FOLDER  also writes report.md and report.json there
 *   npm run faults -- --journal FILE   also writes every request and response there
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { REPLICATED_FAULTS, runAudit, type AuditPlan } from './audit.ts'
import { runInDoubt, describeDoubt } from './in-doubt.ts'
import { LEDGER_FAULTS } from './inject/ledger-faults.ts'
import { PROCESSOR_FAULTS } from './inject/processor-faults.ts'
import { findMissingPackages } from './setup/start-cluster.ts'
import { toJson, toMarkdown } from './report.ts'

const PER_COMMIT = {
  clients: 96,
  operations: 100_000,
  secondsMax: 200,
  ledgerFaults: 22,
  processorFaults: 13,
}
const CLUSTER = { ...PER_COMMIT, secondsMax: 900, ledgerFaults: 32, failovers: 5 }
const LONG = {
  clients: 96,
  operations: 2_000_000,
  secondsMax: 2 * 3600,
  ledgerFaults: 130,
  processorFaults: 80,
  failovers: 30,
}

function readFlags() {
  const { values } = parseArgs({
    options: {
      'in-doubt': { type: 'boolean', default: false },
      times: { type: 'string', default: '50' },
      cluster: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      seed: { type: 'string' },
      seconds: { type: 'string' },
      clients: { type: 'string' },
      operations: { type: 'string' },
      faults: { type: 'string' },
      only: { type: 'string' },
      report: { type: 'string' },
      journal: { type: 'string' },
    },
  })
  const size = values.long ? LONG : values.cluster ? CLUSTER : PER_COMMIT
  const ledger = 'failovers' in size ? REPLICATED_FAULTS : LEDGER_FAULTS
  const all = [...Object.keys(ledger), ...Object.keys(PROCESSOR_FAULTS)]
  const kinds = all.filter((kind) => kind.includes(values.only ?? ''))
  if (kinds.length === 0) throw new Error(`--only matches none of: ${all.join(', ')}.`)
  const plan: AuditPlan = {
    ...size,
    secondsMax: Number(values.seconds ?? size.secondsMax),
    clients: Number(values.clients ?? size.clients),
    operations: Number(values.operations ?? size.operations),
    ledgerFaults: Number(values.faults ?? size.ledgerFaults),
    seed: Number(values.seed ?? randomInt(2 ** 31)),
    kinds,
    resolveSeconds: 60,
    journalFile: values.journal,
  }
  const inDoubtTimes = values['in-doubt'] ? Number(values.times) : 0
  return { plan, folder: values.report, inDoubtTimes }
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

async function main() {
  const { plan, folder, inDoubtTimes } = readFlags()
  const missing = plan.failovers === undefined ? [] : findMissingPackages()
  if (missing.length > 0) {
    print(`The cluster needs programs that are not installed: apt-get install ${missing.join(' ')}`)
    process.exitCode = 1
    return
  }
  print(`Seed ${plan.seed}`)
  if (inDoubtTimes > 0) {
    const report = await runInDoubt({ seed: plan.seed, times: inDoubtTimes }, print)
    print(`\n${describeDoubt(report)}`)
    if (!report.isSafe) process.exitCode = 1
    return
  }
  const report = await runAudit(plan, print)
  const markdown = toMarkdown(report)
  print(`\n${markdown}`)
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'report.md'), markdown)
    writeFileSync(join(folder, 'report.json'), toJson(report))
  }
  if (!report.findings.isSound) process.exitCode = 1
}

await main()
