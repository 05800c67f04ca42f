/** Alerts and dashboard use only metrics that a real service exports. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { cloneDatabase } from '../server/test/database.ts'
import { spawnService, type ServiceProcess } from '../server/test/harness.ts'
import { ROOT } from './copy-checkout.ts'
import { charts, dashboard, expressions, rules } from './read-monitoring.ts'
import { readPromql } from './read-promql.ts'

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')

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

  it('has its alerts, severities and times in docs/operations.md', () => {
    const rows = [...read('docs/operations.md').matchAll(/^\| `(Coffer\w+)` +\| (.+?) +\|$/gm)]
    const documented = rows.map(([, alert = '', rest = '']) => [alert, ...rest.split(/ +\| /)])
    assert.deepEqual(
      documented,
      rules.map(({ alert, labels, for: time, annotations }) => [
        alert,
        labels.severity,
        time ?? 'at once',
        annotations.summary,
      ]),
    )
  })

  it('does not depend on the name of a job', () => {
    for (const { alert, expr } of rules) assert.doesNotMatch(expr, /job\s*=/, alert)
  })

  const skip = spawnSync('promtool', ['--version']).error && 'promtool is not on this machine'

  it('fires when something is wrong, and only then', { skip }, () => {
    const options = { cwd: `${ROOT}deploy`, stdio: 'pipe', encoding: 'utf8' } as const
    execFileSync('promtool', ['check', 'rules', 'prometheus-alerts.yml'], options)
    execFileSync('promtool', ['test', 'rules', 'prometheus-alerts.test.yml'], options)
    const tested = read('deploy/prometheus-alerts.test.yml')
    for (const { alert } of rules) assert(tested.includes(`alertname="${alert}"`), alert)
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
