/**
 * Tests the tests: known bugs are planted one by one, and each must be caught, by the audit or by a test that is named
 * here. A bug that is not caught fails the run.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runAudit } from './audit.ts'
import type { Findings, Invariant } from './check/findings.ts'
import { runInDoubt } from './in-doubt.ts'

interface Bug {
  name: string
  mutation: string
  caughtBy:
    | { faults: string[]; processorFaults?: string[]; invariants: Invariant[] }
    | { test: string; title: string }
    | 'a failover with a commit in doubt'
}

export const PLANTED_BUGS: readonly Bug[] = [
  {
    name: 'acknowledged before the commit',
    mutation: 'acknowledge-before-commit',
    caughtBy: {
      faults: ['service killed before COMMIT', 'connection cut before COMMIT'],
      invariants: [1],
    },
  },
  {
    name: 'read, changed and written without a lock',
    mutation: 'no-lock',
    caughtBy: { faults: [], invariants: [5] },
  },
  {
    name: 'pair not scoped by client app',
    mutation: 'pair-not-scoped',
    caughtBy: { faults: [], invariants: [1, 6] },
  },
  {
    name: 'results of a batch in the wrong order',
    mutation: 'batch-results-reversed',
    caughtBy: { faults: [], invariants: [1, 3, 6] },
  },
  {
    name: 'top-up credited without uniqueness',
    mutation: 'topup-not-unique',
    caughtBy: {
      faults: [],
      processorFaults: ['webhooks sent ten times in a different order'],
      invariants: [9],
    },
  },
  {
    name: 'floating point for money',
    mutation: 'float-arithmetic',
    caughtBy: { faults: [], invariants: [1, 4] },
  },
  {
    name: 'run again with a new key',
    mutation: 'retry-with-new-key',
    caughtBy: { faults: ['connection cut after COMMIT'], invariants: [2] },
  },
  {
    name: 'query string in the log',
    mutation: 'query-string-in-log',
    caughtBy: { faults: [], invariants: [11] },
  },
  {
    name: "postMessage('*')",
    mutation: 'post-message-to-anybody',
    caughtBy: {
      test: 'web/widget/speak-to-host.test.ts',
      title: 'the widget sends messages to exact origins only',
    },
  },
  {
    name: 'replay without waiting for the standby',
    mutation: 'replay-without-standby',
    caughtBy: 'a failover with a commit in doubt',
  },
  {
    name: 'synchronous_commit=local',
    mutation: 'synchronous-commit-local',
    caughtBy: 'a failover with a commit in doubt',
  },
]

const CLIENTS = 96
const SECONDS = 10
const SETTLE_SECONDS = 5
const TIMES = 3

export interface BugResult {
  name: string
  isCaught: boolean
  by: string
  seconds: number
}

export async function runPlantedBugs(
  seed: number,
  only: string,
  print: (line: string) => void,
): Promise<BugResult[]> {
  const results: BugResult[] = []
  for (const bug of PLANTED_BUGS.filter(({ name }) => name.includes(only))) {
    const startedMs = performance.now()
    const { isCaught, by } = await tryToCatch(bug, seed)
    const seconds = (performance.now() - startedMs) / 1000
    print(`${bug.name}: ${isCaught ? 'caught' : 'NOT CAUGHT'}, by ${by}, ${seconds.toFixed(1)} s`)
    results.push({ name: bug.name, isCaught, by, seconds })
  }
  return results
}

function tryToCatch(bug: Bug, seed: number): Promise<Pick<BugResult, 'isCaught' | 'by'>> {
  const { caughtBy, mutation } = bug
  if (typeof caughtBy === 'string') return catchByDoubt(mutation, seed)
  if ('test' in caughtBy) return catchByTest(mutation, caughtBy)
  return catchByAudit(mutation, caughtBy, seed)
}

async function catchByAudit(
  mutation: string,
  expected: { faults: string[]; processorFaults?: string[]; invariants: Invariant[] },
  seed: number,
) {
  const { faults, processorFaults = [], invariants } = expected
  const report = await runAudit(
    {
      seed,
      clients: CLIENTS,
      operations: Infinity,
      secondsMax: SECONDS,
      settleSeconds: SETTLE_SECONDS,
      ledgerFaults: TIMES * faults.length,
      processorFaults: TIMES * processorFaults.length,
      kinds: [...faults, ...processorFaults],
      mutations: [mutation],
    },
    () => undefined,
  )
  const caught = invariants.filter((invariant) => report.findings.counts.has(invariant))
  return {
    isCaught: caught.length > 0,
    by: `the audit, invariants ${describeFindings(report.findings)}`,
  }
}

/** Caught means that the checker finds a violation in the ledger and the responses, caused by an early confirmation. */
async function catchByDoubt(mutation: string, seed: number) {
  const plan = { seed, times: TIMES, mutations: [mutation] }
  const { findings, confirmedEarly } = await runInDoubt(plan, () => undefined)
  const by = `a failover with a commit in doubt, confirmed too early ${confirmedEarly} of ${TIMES} times, invariants`
  return {
    isCaught: !findings.isSound && confirmedEarly > 0,
    by: `${by} ${describeFindings(findings)}`,
  }
}

function describeFindings(findings: Findings): string {
  const found = findings.list().map(({ invariant, count }) => `${invariant} (${count} times)`)
  return found.join(', ') || 'none'
}

/** The test must pass without the bug and fail with it, and its title must be in the output. */
async function catchByTest(mutation: string, { test, title }: { test: string; title: string }) {
  const sound = await runTest(test, '')
  const corrupted = await runTest(test, mutation)
  const isNamed = corrupted.output.includes(`✖ ${title}`)
  const isCaught = sound.hasPassed && !corrupted.hasPassed && isNamed
  return { isCaught, by: `${test}, “${title}”` }
}

function runTest(test: string, mutation: string): Promise<{ hasPassed: boolean; output: string }> {
  const file = fileURLToPath(new URL(`../${test}`, import.meta.url))
  const preload = new URL('mutate.ts', import.meta.url).href
  const env = {
    PATH: process.env['PATH'],
    FAULTS_MUTATIONS: mutation,
    NODE_OPTIONS: `--import ${preload}`,
  }
  const args = ['--test', '--test-reporter=spec', file]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, output) =>
      resolve({ hasPassed: error === null, output }),
    )
  })
}
