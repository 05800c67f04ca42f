/** Alerts and dashboard use only metrics that a real service exports. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse, stringify } from 'yaml'
import { cloneDatabase } from '../server/test/database.ts'
import { spawnService, type ServiceProcess } from '../server/test/harness.ts'
import { ROOT } from './copy-checkout.ts'
import { readPromql } from './read-promql.ts'

interface Panel {
  id: number
  type: string
  title: string
  description?: string
  datasource?: { type: string; uid: string }
  gridPos: { x: number; y: number; w: number; h: number }
  fieldConfig?: { defaults: { unit: string } }
  targets?: { refId: string; expr: string; legendFormat: string }[]
}

interface Dashboard {
  title: string
  schemaVersion: number
  templating: { list: { name: string; query: string | { query: string } }[] }
  panels: Panel[]
}

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard
const charts = dashboard.panels.filter(({ type }) => type !== 'row')
const expressions = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const { groups } = parse(read('deploy/prometheus-alerts.yml')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
}
const rules = groups.flatMap((group) => group.rules)

/** Prometheus itself adds these labels, and the metric `up`. */
const OF_PROMETHEUS = new Set(['job', 'instance'])

describe('every metric of alerts and dashboard', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let service: ServiceProcess
  const measured = new Map<string, Set<string>>()

  before(async () => {
    database = await cloneDatabase()
    service = await spawnService(database.url)
    await fetch(`${service.url}/livez`)
    const text = await (await fetch(`${service.url}/metrics`)).text()
    for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = measured.get(name) ?? new Set(OF_PROMETHEUS)
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
      measured.set(name, known)
    }
    measured.set('up', OF_PROMETHEUS)
  })
  after(async () => {
    await service.kill('SIGTERM')
    await database.drop()
  })

  for (const [file, all] of [
    ['deploy/prometheus-alerts.yml', rules.map(({ expr }) => expr)],
    ['deploy/grafana-dashboard.json', expressions],
  ] as const) {
    it(`is exported by the service: ${file}`, () => {
      assert(all.length >= 9)
      for (const expression of all) {
        const { metrics, labels } = readPromql(expression)
        if (!/vector|time\(\)/.test(expression)) assert(metrics.size > 0, expression)
        for (const metric of metrics) {
          const known = measured.get(metric) ?? assert.fail(`${metric} is not exported`)
          for (const label of labels) assert(known.has(label), `${metric} has no ${label}`)
        }
      }
    })
  }

  it('is documented in docs/operations.md if it belongs to the service', () => {
    const operations = read('docs/operations.md')
    for (const expression of [...expressions, ...rules.map(({ expr }) => expr)]) {
      for (const metric of readPromql(expression).metrics) {
        const name = metric.replace(/_(bucket|sum|count)$/, '')
        if (name.startsWith('coffer_')) assert(operations.includes(`\`${name}\``), name)
      }
    }
  })
})

describe('deploy/prometheus-alerts.yml', () => {
  it('describes for each alert what happened and what to do first', () => {
    for (const { alert, annotations } of rules) {
      assert.match(alert, /^Coffer[A-Z]\w+$/)
      assert.deepEqual(Object.keys(annotations), ['summary', 'action'])
    }
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  })

  const skip = spawnSync('promtool', ['--version']).error && 'promtool is not on this machine'

  it('fires when something is wrong, and only then', { skip }, () => {
    const options = { cwd: `${ROOT}deploy`, stdio: 'pipe', encoding: 'utf8' } as const
    execFileSync('promtool', ['check', 'rules', 'prometheus-alerts.yml'], options)
    execFileSync('promtool', ['test', 'rules', 'prometheus-alerts.test.yml'], options)
    const tested = read('deploy/prometheus-alerts.test.yml')
    for (const { alert } of rules) assert(tested.includes(`alertname="${alert}"`), alert)
  })

  it('accepts the expressions of the dashboard as rules', { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-rules-'))
    const records = expressions.map((expression, index) => ({
      record: `panel:${index}`,
      expr: expression.replaceAll('$__rate_interval', '5m'),
    }))
    const file = join(folder, 'rules.yml')
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: records }] }))
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.equal(status, 0, stderr)
  })
})

describe('deploy/grafana-dashboard.json', () => {
  it('is a valid dashboard with the most important panels', () => {
    assert(dashboard.schemaVersion >= 36)
    const titles = ['Requests per second', 'Response time', '500', '503', 'Operations per batch']
    const more = ['Time per batch', 'Queue', 'Batches run again', 'Event loop lag', 'Memory']
    for (const title of [...titles, ...more]) assert(charts.some((chart) => chart.title === title))
    const ids = dashboard.panels.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('explains every panel, and queries only the selected job and instances', () => {
    const variables = dashboard.templating.list.map(({ name }) => name)
    assert.deepEqual(variables, ['datasource', 'job', 'instance'])
    for (const { title, type, description = '', datasource, targets = [], fieldConfig } of charts) {
      assert(['timeseries', 'stat'].includes(type), title)
      assert.match(description, /\.$/, title)
      assert.deepEqual(datasource, { type: 'prometheus', uid: '${datasource}' })
      assert(fieldConfig?.defaults.unit, title)
      assert(targets.length > 0 && targets.every(({ legendFormat }) => legendFormat))
      assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length)
      for (const { expr } of targets) {
        const selectors = expr.match(/\{[^}]*\}/g) ?? []
        assert(selectors.length > 0, expr)
        for (const each of selectors) assert(each.startsWith('{job=~"$job", instance=~"$instance"'))
      }
    }
  })

  it('has no overlapping panels', () => {
    const taken = new Set<string>()
    for (const { title, gridPos } of dashboard.panels) {
      assert(gridPos.x + gridPos.w <= 24, title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert(!taken.has(`${x} ${y}`), title)
          taken.add(`${x} ${y}`)
        }
      }
    }
  })
})
