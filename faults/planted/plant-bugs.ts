/**
 * Tests the tests: plants each bug of bugs.ts, one at a time, in a copy of the source tree, and runs the test that must
 * catch it. The test must pass without the bug and fail with it.
 *
 *   npm run planted-bugs                  all bugs; exit status 1 if a test does not catch its bug
 *   npm run planted-bugs -- --only TEXT   bugs whose name or file contains the text
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { linkModules, ROOT } from '../../scripts/copy-checkout.ts'
import { startThrowAwayPostgres } from '../../scripts/throw-away-postgres.ts'
import { BUGS } from './bugs.ts'
import type { PlantedBug } from './planted-bug.ts'

/** A bug can make a test wait forever; that counts as caught. */
const TIMEOUT_MS = 180_000

interface TestRun {
  hasPassed: boolean
  output: string
}

type Verdict = 'caught' | 'NOT CAUGHT' | 'TEXT NOT FOUND' | 'TEST FAILS WITHOUT THE BUG'

/** The pages stay built: tests need them. */
function copySources(folder: string) {
  const left = ['node_modules', '.git', 'screenshots', 'test-results', 'playwright-report']
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !left.includes(basename(path)) })
  linkModules(folder)
}

function runTest(
  folder: string,
  databaseUrl: string,
  { test, title }: Pick<PlantedBug, 'test' | 'title'>,
): Promise<TestRun> {
  const pattern = title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const args = [
    '--test',
    '--test-force-exit',
    '--test-reporter=spec',
    `--test-timeout=${TIMEOUT_MS}`,
    '--test-global-setup=server/test/global-setup.ts',
    `--test-name-pattern=${pattern}`,
    test,
  ]
  const env = { PATH: process.env['PATH'], TEST_DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, args, { cwd: folder, env })
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

/** Whether a test with this title ran and had this result. */
function hasLine({ output }: TestRun, sign: '✔' | '✖', title: string): boolean {
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
    if (!(await this.#passesWithout(bug))) return 'TEST FAILS WITHOUT THE BUG'
    const path = join(this.#folder, bug.file)
    const source = readFileSync(path, 'utf8')
    const parts = source.split(bug.find)
    if (parts.length !== 2) return 'TEXT NOT FOUND'
    writeFileSync(path, parts.join(bug.replace))
    try {
      const run = await runTest(this.#folder, this.#databaseUrl, bug)
      return !run.hasPassed && hasLine(run, '✖', bug.title) ? 'caught' : 'NOT CAUGHT'
    } finally {
      writeFileSync(path, source)
    }
  }

  #passesWithout(bug: PlantedBug): Promise<boolean> {
    const key = `${bug.test} ${bug.title}`
    const known =
      this.#sound.get(key) ??
      runTest(this.#folder, this.#databaseUrl, bug).then(
        (run) => run.hasPassed && hasLine(run, '✔', bug.title),
      )
    this.#sound.set(key, known)
    return known
  }
}

async function main() {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
  const bugs = BUGS.filter(({ name, file }) => `${name} ${file}`.includes(values.only))
  const folder = mkdtempSync(join(tmpdir(), 'coffer-planted-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const postgres = await startThrowAwayPostgres({
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
      process.stdout.write(`                     ${bug.test}, “${bug.title}”\n`)
      if (verdict === 'caught') caught++
    }
  } finally {
    await postgres.stop()
  }
  process.stdout.write(`${caught} of ${bugs.length} planted bugs were caught\n`)
  if (caught < bugs.length || bugs.length === 0) process.exitCode = 1
}

await main()
