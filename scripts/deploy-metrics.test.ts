/** The alert rules and the dashboard: promtool accepts and tests the rules, and both are described. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { ROOT } from './copy-checkout.ts'
import { skipWithout } from './find-program.ts'
import { charts, dashboard, expressions, rules } from './read-monitoring.ts'

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')

describe('every metric of the service in alerts and dashboard', () => {
  it('is documented in docs/operations.md', () => {
    const operations = read('docs/operations.md')
    const all = [...expressions, ...rules.map(({ expr }) => expr)].join('\n')
    const names = new Set(
      all.match(/\bcoffer_\w+/g)?.map((name) => name.replace(/_(bucket|sum|count)$/, '')),
    )
    assert(names.size > 20)
    for (const name of names) assert(operations.includes(`\`${name}\``), name)
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

  const skip = skipWithout('promtool', 'prometheus')

  it('fires when something is wrong, and only then', { skip }, () => {
    const options = { cwd: `${ROOT}deploy`, stdio: 'pipe', encoding: 'utf8' } as const
    execFileSync('promtool', ['check', 'rules', 'prometheus-alerts.yml'], options)
    execFileSync('promtool', ['test', 'rules', 'prometheus-alerts.test.yml'], options)
    const tested = read('deploy/prometheus-alerts.test.yml')
    for (const { alert, expr } of rules) {
      assert(tested.includes(`alertname="${alert}"`), alert)
      for (const [metric] of expr.matchAll(/\b(coffer|process)_\w+/g)) {
        assert(tested.includes(`series: '${metric}`), metric)
      }
    }
  })
})

describe('deploy/grafana-dashboard.json', () => {
  it('is a valid dashboard with the most important panels', () => {
    assert(dashboard.schemaVersion >= 36)
    const titles = ['Requests per second', 'Response time', '500', '503', 'Operations per batch']
    const more = ['Time per batch', 'Queue', 'Batch retries', 'Event loop lag', 'Memory']
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
