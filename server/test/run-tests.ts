import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { globalSetup, globalTeardown } from './global-setup.ts'
import { ROOT } from '../../scripts/copy-checkout.ts'

const EVERYWHERE =
  '{contract,server,web,sandbox,scripts,sdk,embed,example,site,bench,faults}/**/*.test.ts'
const OWN = '{server,scripts,faults,sdk}/**/*.own.test.ts'
const ELSEWHERE = ['**/node_modules/**', '**/*.{own,alone,nightly}.test.ts']

/** The tests of each group: how many processes run at the same time, and how many files at most share one. */
const GROUPS = {
  together: {
    files: globSync(['tidy*.test.ts', EVERYWHERE], { exclude: ELSEWHERE }),
    processes: 3,
    perProcess: 8,
  },
  own: { files: globSync(OWN), processes: 4, perProcess: 1 },
  models: { files: globSync('models/**/*.test.ts'), processes: 2, perProcess: 1 },
  alone: { files: globSync('server/**/*.alone.test.ts'), processes: 1, perProcess: 1 },
}

/** More failed files than this are not due to a busy machine. */
const REPEATED_MAX = 5

const folder = mkdtempSync(join(tmpdir(), 'coffer-tests-'))
let processes = 0

/** Runs test files in one process and returns those that failed. */
async function run(files: readonly string[]): Promise<string[]> {
  const failedFiles = join(folder, `failed-files-${++processes}`)
  const options = [
    '--test',
    '--test-isolation=none',
    '--test-timeout=600000',
    '--test-force-exit',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./server/test/report-failed-files.ts',
    `--test-reporter-destination=${failedFiles}`,
  ]
  const env = { ...process.env, TEST_FILES_SHARE: String(files.length > 1) }
  const child = spawn(process.execPath, [...options, ...files], { cwd: ROOT, env })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => output.push(piece))
  const status = await new Promise((resolve) => child.once('close', resolve))
  // As a whole, because several processes print at the same time.
  process.stdout.write(Buffer.concat(output))
  if (status === 0) return []
  const failed = new Set(readFileSync(failedFiles, 'utf8').split('\n').filter(Boolean))
  const known = files.filter((file) => failed.has(file))
  return known.length > 0 ? known : [...files]
}

/** Files of one folder of the service share a process. The longest parts come first, so that no process ends late. */
function split(files: readonly string[], perProcess: number): string[][] {
  const byFolder = Object.values(Object.groupBy(files.toSorted(), (file) => dirname(file)))
  const parts = byFolder.flatMap((all = []) => {
    const size = all[0]?.startsWith('server/') ? perProcess : 1
    return Array.from({ length: Math.ceil(all.length / size) }, (_, part) =>
      all.slice(part * size, (part + 1) * size),
    )
  })
  return parts.toSorted((one, other) => other.length - one.length)
}

/**
 * Repeats the files that failed, one at a time. A test that waits for a busy machine passes then, and is
 * listed, so that somebody fixes it; a test that found a bug fails again.
 */
async function runGroup({ files, ...sizes }: (typeof GROUPS)['together']): Promise<boolean> {
  const waiting = split(files, sizes.perProcess)
  const failed: string[] = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) failed.push(...(await run(next)))
  }
  await Promise.all(Array.from({ length: sizes.processes }, work))
  if (failed.length > REPEATED_MAX) console.log(`\nFailed: ${failed.join(', ')}`)
  if (failed.length === 0 || failed.length > REPEATED_MAX) return failed.length === 0
  console.log(`\nRepeating ${failed.join(', ')}`)
  for (const file of failed) if ((await run([file])).length > 0) return false
  console.log(`\nFlaky, failed once and passed when repeated: ${failed.join(', ')}`)
  return true
}

try {
  const group = process.argv[2]
  const groups = Object.entries(GROUPS).filter(([name]) => group === undefined || name === group)
  if (groups.length === 0)
    throw new Error(`Unknown group ${group}: use ${Object.keys(GROUPS).join(', ')}.`)
  await globalSetup()
  for (const [name, tests] of groups) {
    const startMs = performance.now()
    const hasPassed = await runGroup(tests)
    console.log(`\n${name}: ${Math.round((performance.now() - startMs) / 1000)} s`)
    if (hasPassed) continue
    process.exitCode = 1
    break
  }
} finally {
  await globalTeardown()
  rmSync(folder, { recursive: true })
}
