/**
 * The audit under faults: no acknowledged operation is lost, none is applied twice, no balance is wrong.
 *
 *   npm run faults                     per commit: 100 000 operations, 20 faults and those of the processor, in 5 minutes
 *   npm run faults -- --long           2 million operations and 150 faults
 *   npm run faults -- --zoo            known bugs are brought back one by one, and each must be caught
 *   npm run faults -- --seed 7         the same clients and faults as last time
 *   npm run faults -- --seconds 20     no longer than that, whatever was reached
 *   npm run faults -- --only TEXT      only faults whose name contains the text
 *   npm run faults -- --report FOLDER  also writes report.md and report.json there
 *   npm run faults -- --journal FILE   also writes down every request and answer there
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runAudit, type AuditPlan } from './audit.ts'
import { LEDGER_FAULTS } from './nemesis/inject.ts'
import { PROCESSOR_FAULTS } from './nemesis/inject-processor.ts'
import { toJson, toMarkdown } from './report.ts'
import { visitZoo } from './zoo.ts'

const PER_COMMIT = { operations: 100_000, secondsMax: 200, ledgerFaults: 20, processorFaults: 13 }
const LONG = {
  operations: 2_000_000,
  secondsMax: 4 * 3600,
  ledgerFaults: 150,
  processorFaults: 100,
}

function readFlags() {
  const { values } = parseArgs({
    options: {
      zoo: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      seed: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      report: { type: 'string' },
      journal: { type: 'string' },
    },
  })
  const size = values.long ? LONG : PER_COMMIT
  const all = [...Object.keys(LEDGER_FAULTS), ...Object.keys(PROCESSOR_FAULTS)]
  const kinds = all.filter((kind) => kind.includes(values.only ?? ''))
  if (kinds.length === 0 && !values.zoo) throw new Error(`--only fits none of: ${all.join(', ')}.`)
  const plan: AuditPlan = {
    ...size,
    secondsMax: Number(values.seconds ?? size.secondsMax),
    seed: Number(values.seed ?? randomInt(2 ** 31)),
    kinds,
    settleSeconds: 60,
    mutations: [],
    journalFile: values.journal,
  }
  return { plan, folder: values.report, isZoo: values.zoo, only: values.only ?? '' }
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}

async function main() {
  const { plan, folder, isZoo, only } = readFlags()
  say(`Seed ${plan.seed}`)
  if (isZoo) {
    const results = await visitZoo(plan.seed, only, say)
    if (results.some(({ isCaught }) => isCaught === false)) process.exitCode = 1
    return
  }
  const report = await runAudit(plan, say)
  const markdown = toMarkdown(report)
  say(`\n${markdown}`)
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'report.md'), markdown)
    writeFileSync(join(folder, 'report.json'), toJson(report))
  }
  if (!report.findings.isSound) process.exitCode = 1
}

await main()
