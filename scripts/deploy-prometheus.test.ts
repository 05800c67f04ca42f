/** A real Prometheus scrapes the service and evaluates all alert rules and all queries of the dashboard. */
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { call, openSetup, type Setup } from '../server/test/setup.ts'
import { ROOT } from './copy-checkout.ts'
import { findFreePorts } from './find-free-ports.ts'
import { skipWithout } from './find-program.ts'
import { readBlocks } from './read-blocks.ts'
import { ALERTS, ALERTS_TEST, dashboard, expressions, rules } from './read-monitoring.ts'

/** Nothing may depend on the name of the job. */
const JOB = 'any-name'
const PATIENCE_MS = 120_000

interface EvaluatedRule {
  name: string
  health: string
  lastError?: string
  state: string
}
interface Sample {
  metric: Record<string, string>
  value: [number, string]
}

const skip = skipWithout('prometheus')

/** The configuration in docs/operations.md, with another job name and the address of this service. */
function readConfiguration(target: string) {
  const blocks = readBlocks(readFileSync(`${ROOT}docs/operations.md`, 'utf8'))
  const block = blocks.find(({ language }) => language === 'yaml') ?? assert.fail('no block')
  const { scrape_configs: jobs, ...others } = parse(block.text) as { scrape_configs: object[] }
  return {
    ...others,
    global: { scrape_interval: '2s', evaluation_interval: '1s' },
    rule_files: [ALERTS],
    scrape_configs: jobs.map((job) => ({
      ...job,
      job_name: JOB,
      static_configs: [{ targets: [target] }],
    })),
  }
}

describe('a Prometheus that scrapes the service', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-prometheus-'))
  let setup: Setup
  let child: ChildProcess
  let address: string

  before(async () => {
    setup = await openSetup()
    const service = await setup.harness.app.listen({ port: 0, host: '127.0.0.1' })
    const [port = 0] = await findFreePorts(1)
    address = `http://127.0.0.1:${port}`
    const config = readConfiguration(new URL(service).host)
    writeFileSync(join(folder, 'prometheus.yml'), stringify(config))
    child = spawn(
      'prometheus',
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    await until(async () => (await count('coffer_request_seconds_count')) > 0)
    const seen = await count('sum(coffer_ledger_batch_operations_count)')
    const { serviceUserId } = setup.user
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    await call(setup, debit, { serviceUserId, amount: 1, ...pair })
    await until(async () => (await count('sum(coffer_ledger_batch_operations_count)')) > seen)
  })
  after(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    await setup.harness.end()
    rmSync(folder, { recursive: true })
  })

  async function read<Data>(path: string, parameters: Record<string, string> = {}): Promise<Data> {
    const query = new URLSearchParams(parameters)
    const response = await fetch(`${address}/api/v1/${path}?${query}`)
    const { status, data, error } = (await response.json()) as {
      status: string
      data: Data
      error?: string
    }
    assert.equal(status, 'success', `${parameters['query']}: ${error}`)
    return data
  }

  const evaluate = async (query: string) =>
    (await read<{ result: Sample[] }>('query', { query })).result

  /** The value of the first series; 0 if there is none, or while Prometheus starts. */
  async function count(query: string): Promise<number> {
    const [first] = await evaluate(query).catch(() => [])
    return Number(first?.value[1] ?? 0)
  }

  /** On a busy machine a scrape may time out; the next one succeeds. */
  async function until(isDone: () => Promise<boolean>, what = 'what was scraped') {
    const lastMs = performance.now() + PATIENCE_MS
    while (!(await isDone())) {
      assert(performance.now() < lastMs, `Prometheus does not show ${what}`)
      await sleep(200)
    }
  }

  it('knows every series with which the alerts are tested, with its labels', async () => {
    const { tests } = parse(readFileSync(ALERTS_TEST, 'utf8')) as {
      tests: { input_series: { series: string }[] }[]
    }
    const all = tests.flatMap(({ input_series: inputs }) => inputs.map(({ series }) => series))
    assert(all.length > 20)
    for (const series of new Set(all.map((each) => each.replaceAll(/="[^"]*"/g, '!=""')))) {
      const found = await read<object[]>('series', { 'match[]': series })
      assert(found.length > 0, series)
    }
  })

  it('evaluates every alert rule, and reports no service that is down', async () => {
    const readRules = async () => {
      const { groups } = await read<{ groups: { rules: EvaluatedRule[] }[] }>('rules')
      return groups.flatMap((group) => group.rules)
    }
    await until(async () => (await readRules()).every(({ health }) => health !== 'unknown'))
    const found = await readRules()
    assert.deepEqual(
      found.filter(({ health, lastError }) => health !== 'ok' || lastError),
      [],
    )
    assert.deepEqual(
      found.map(({ name }) => name),
      rules.map(({ alert }) => alert),
    )
    const isQuiet = ({ name, state }: EvaluatedRule) =>
      !/Down|Errors|Fault/.test(name) || state === 'inactive'
    await until(async () => (await readRules()).every(isQuiet), 'that nothing is wrong')
  })

  it('has data for every query of the dashboard', async () => {
    for (const expression of expressions) {
      const query = expression
        .replaceAll('$job', JOB)
        .replaceAll('$instance', '.*')
        .replaceAll('$__rate_interval', '1m')
      await until(async () => (await evaluate(query)).length > 0, expression)
    }
  })

  it('has values for the variables of the dashboard', async () => {
    for (const { name, query } of dashboard.templating.list) {
      if (typeof query === 'string') continue
      const [, series = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(query.query) ?? []
      const parameters = { 'match[]': series.replace('$job', JOB) }
      await until(
        async () => (await read<string[]>(`label/${label}/values`, parameters)).length === 1,
        name,
      )
    }
  })
})
