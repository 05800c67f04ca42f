import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './copy-checkout.ts'

/** The tests of each group, and how many files of it run at the same time. */
const GROUPS = {
  together: {
    concurrency: 4,
    patterns: [
      'tidy*.test.ts',
      '{contract,server,web,sandbox,scripts,sdk,embed,example,site,bench,faults}/**/!(*.alone|*.nightly).test.ts',
    ],
  },
  models: { concurrency: 2, patterns: ['models/**/*.test.ts'] },
  alone: { concurrency: 1, patterns: ['server/**/*.alone.test.ts'] },
}

/** Every test file and every command that a test starts compiles the same modules. */
const env = {
  ...process.env,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(ROOT, 'node_modules/.cache/tests'),
}

/** More failed files than this are not due to a busy machine. */
const REPEATED_MAX = 5

const folder = mkdtempSync(join(tmpdir(), 'coffer-tests-'))

/** Runs test files and returns those that failed. */
function run(patterns: string[], concurrency: number): string[] {
  const failedFiles = join(folder, 'failed-files')
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${concurrency}`,
      '--test-timeout=600000',
      '--test-force-exit',
      '--test-global-setup=server/test/global-setup.ts',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/report-failed-files.ts',
      `--test-reporter-destination=${failedFiles}`,
      ...patterns,
    ],
    { stdio: 'inherit', env },
  )
  const failed = new Set(readFileSync(failedFiles, 'utf8').split('\n').filter(Boolean))
  if (status !== 0 && failed.size === 0) throw new Error(`The test runner exited with ${status}.`)
  return [...failed]
}

/**
 * Repeats the files that failed, one at a time. A test that waits for a busy machine passes then, and is
 * listed, so that somebody fixes it; a test that found a bug fails again.
 */
function runGroup({ patterns, concurrency }: { patterns: string[]; concurrency: number }): boolean {
  const failed = run(patterns, concurrency)
  if (failed.length === 0) return true
  if (failed.length > REPEATED_MAX) return false
  console.log(`\nRepeating ${failed.join(', ')}`)
  if (run(failed, 1).length > 0) return false
  console.log(`\nFlaky, failed once and passed when repeated: ${failed.join(', ')}`)
  return true
}

try {
  const group = process.argv[2]
  const groups = Object.entries(GROUPS).filter(([name]) => group === undefined || name === group)
  if (groups.length === 0) throw new Error(`Unknown group ${group}: use together, models or alone.`)
  if (!groups.every(([, tests]) => runGroup(tests))) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
