/**
 * Hostile input: the service must refuse whatever is sent, with a response of the contract, and nothing may change.
 *
 *   npm run hostile                          a million requests, a fifth of them over sockets, in 15 minutes
 *   npm run hostile -- --requests 20000      this many requests
 *   npm run hostile -- --seconds 60          at most this long
 *   npm run hostile -- --seed 7              the same requests as in an earlier run
 *   npm run hostile -- --report FOLDER       also writes report.md and report.json there
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runAttack } from './hostile/run-attack.ts'
import { faultsOf, toMarkdown } from './hostile/report-attack.ts'

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

async function main() {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '900' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      report: { type: 'string' },
    },
  })
  const [requests, secondsMax, seed] = [values.requests, values.seconds, values.seed].map(Number)
  if (!requests || !secondsMax || seed === undefined || Number.isNaN(seed)) {
    throw new Error('--requests, --seconds and --seed take a whole number.')
  }
  print(`Seed ${seed}`)
  const report = await runAttack({ requests, secondsMax, seed }, print)
  const markdown = toMarkdown(report, requests)
  print(`\n${markdown}`)
  if (values.report !== undefined) {
    mkdirSync(values.report, { recursive: true })
    writeFileSync(join(values.report, 'report.md'), markdown)
    writeFileSync(join(values.report, 'report.json'), JSON.stringify(report))
  }
  const { injected, sockets } = report.counts.requests
  if (faultsOf(report).length > 0 || injected + sockets < requests) process.exitCode = 1
}

// Child processes end with this process if it exits normally.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main()
