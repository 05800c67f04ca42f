/** The alert rules and the dashboard, for the tests that check them. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ROOT } from './copy-checkout.ts'

export interface Panel {
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

export interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}

export const ALERTS = `${ROOT}deploy/prometheus-alerts.yml`
/** What promtool tests: series, and the alerts that fire. */
export const ALERTS_TEST = `${ROOT}deploy/prometheus-alerts.test.yml`

export const dashboard = JSON.parse(
  readFileSync(`${ROOT}deploy/grafana-dashboard.json`, 'utf8'),
) as Dashboard
export const charts = dashboard.panels.filter(({ type }) => type !== 'row')
export const expressions = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

const { groups } = parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] }
export const rules = groups.flatMap((group) => group.rules)
