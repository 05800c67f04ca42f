/**
 * Tests the tests: plants each bug of bugs.ts, one at a time, in a copy of the source tree, and runs what must catch it:
 * a test, which passes without the bug and fails with it, or an audit.
 *
 *   npm run planted-bugs                  all bugs; exit status 1 if one is not caught
 *   npm run planted-bugs -- --only TEXT   bugs whose name or file contains the text
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { linkModules, ROOT } from '../../scripts/copy-checkout.ts'
import { startTemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { changeSource } from '../setup/change-source.ts'
import { BUGS, type PlantedBug } from './bugs.ts'

/** A bug can make a test wait forever; that counts as caught. */
const TEST_TIMEOUT_MS = 180_000
const AUDIT_TIMEOUT_MS = 600_000
/** As many faults as fit into the time. */
const AUDIT = ['--seconds', '10', '--operations', 'Infinity', '--faults', '6']

interface Run {
  hasPassed: boolean
  output: string
}

type ByTest = Extract<PlantedBug['caughtBy'], { test: string }>
type ByAudit = Exclude<PlantedBug['caughtBy'], ByTest>
type Verdict = 'caught' | 'NOT CAUGHT' | 'TEST FAILS WITHOUT THE BUG'

/** The pages stay built: tests and audits need them. */
function copySources(folder: string) {
  const left = ['node_modules', '.git', 'screenshots', 'test-results', 'playwright-report']
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !left.includes(basename(path)) })
  linkModules(folder)
}

/** Whether a test with this title ran and had this result. */
function hasLine({ output }: Run, sign: '✔' | '✖', title: string): boolean {
  return output.split('\n').some((line) => line.includes(sign) && line.includes(title))
}

/** A copy of the source tree. One bug is planted in it at a time. */
class TestedCopy {
  readonly #folder: string
  readonly #databaseUrl: string
  /** By test and title: whether it passes without a bug. */
  readonly #sound = new Map<string, Promise<boolean>>()

  constructor(folder: string, databaseUrl: string) {
    this.#folder = folder
    this.#databaseUrl = databaseUrl
  }

  async judge(bug: PlantedBug): Promise<Verdict> {
    const { caughtBy } = bug
    const isByTest = typeof caughtBy === 'object' && 'test' in caughtBy
    if (isByTest && !(await this.#passesWithoutBug(caughtBy))) return 'TEST FAILS WITHOUT THE BUG'
    const path = join(this.#folder, bug.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, changeSource(source, bug))
    try {
      const isCaught = isByTest ? this.#failsTest(caughtBy) : this.#failsAudit(caughtBy)
      return (await isCaught) ? 'caught' : 'NOT CAUGHT'
    } finally {
      writeFileSync(path, source)
    }
  }

  #passesWithoutBug(byTest: ByTest): Promise<boolean> {
    const key = `${byTest.test} ${byTest.title}`
    const known =
      this.#sound.get(key) ??
      this.#runTest(byTest).then((run) => run.hasPassed && hasLine(run, '✔', byTest.title))
    this.#sound.set(key, known)
    return known
  }

  async #failsTest(byTest: ByTest): Promise<boolean> {
    const run = await this.#runTest(byTest)
    return !run.hasPassed && hasLine(run, '✖', byTest.title)
  }

  #runTest({ test, title }: ByTest): Promise<Run> {
    const pattern = title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    return this.#run([
      '--test',
      '--test-force-exit',
      '--test-reporter=spec',
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      '--test-global-setup=server/test/global-setup.ts',
      `--test-name-pattern=${pattern}`,
      test,
    ])
  }

  async #failsAudit(byAudit: ByAudit): Promise<boolean> {
    if (typeof byAudit === 'string') {
      const { hasPassed, output } = await this.#run(['faults/run.ts', '--in-doubt', '--times', '3'])
      return !hasPassed && output.includes('CONFIRMED TOO EARLY')
    }
    const folder = join(this.#folder, 'report')
    rmSync(folder, { recursive: true, force: true })
    const kinds = ['--only', byAudit.faults]
    await this.#run(['faults/run.ts', ...AUDIT, ...kinds, '--report', folder])
    const report = readFileSync(join(folder, 'report.json'), 'utf8')
    const { findings } = JSON.parse(report) as { findings: { invariant: number }[] }
    return findings.some(({ invariant }) => invariant === byAudit.invariant)
  }

  #run(args: readonly string[]): Promise<Run> {
    const env = { PATH: process.env['PATH'], TEST_DATABASE_URL: this.#databaseUrl }
    const options = { cwd: this.#folder, env, timeout: AUDIT_TIMEOUT_MS }
    const child = spawn(process.execPath, args, options)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        output += bytes.toString()
      })
    }
    return new Promise((resolve) => {
      child.once('close', (code) => resolve({ hasPassed: code === 0, output }))
    })
  }
}

function show({ caughtBy }: PlantedBug): string {
  if (typeof caughtBy === 'string') return caughtBy
  if ('test' in caughtBy) return `${caughtBy.test}, “${caughtBy.title}”`
  return `the audit with “${caughtBy.faults}”, invariant ${caughtBy.invariant}`
}

async function main() {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
  const bugs = BUGS.filter(({ name, file }) => `${name} ${file}`.includes(values.only))
  const folder = mkdtempSync(join(tmpdir(), 'coffer-planted-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const postgres = await startTemporaryPostgres({
    settings: { max_connections: '300', fsync: 'off', full_page_writes: 'off' },
  })
  let caught = 0
  try {
    copySources(folder)
    const copy = new TestedCopy(folder, postgres.url)
    for (const bug of bugs) {
      const startedMs = performance.now()
      const verdict = await copy.judge(bug)
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(5)
      process.stdout.write(`${seconds} s  ${verdict.padEnd(10)}  ${bug.file}: ${bug.name}\n`)
      process.stdout.write(`                     ${show(bug)}\n`)
      if (verdict === 'caught') caught++
    }
  } finally {
    await postgres.stop()
  }
  process.stdout.write(`${caught} of ${bugs.length} planted bugs were caught\n`)
  if (caught < bugs.length || bugs.length === 0) process.exitCode = 1
}

await main()
