/** Prints the results, as text and as JSON. */
import { OTHERS_MAX } from './measure.ts'
import type { Setup } from './prepare.ts'
import { OPEN_P99_GOAL_MS, type Scenario } from './scenarios.ts'
import type { Interval } from './statistics.ts'
import type { Summary } from './summarize.ts'

/** How far the machine's slowest moment may be below its fastest. */
const SPEED_SPREAD_MAX = 0.15

const round = (value: number, digits: number) => Number(value.toFixed(digits))
const whole = (value: number) => String(Math.round(value))

const COLUMNS: [string, (summary: Summary) => string][] = [
  ['scenario', ({ scenario }) => `${scenario.name} (${scenario.title})`],
  ['bare (clients)', ({ bare }) => (bare ? `${whole(bare.rate)} (${bare.clients})` : '')],
  ['bare at 64', ({ bare }) => (bare ? whole(bare.at64) : '')],
  ['service', ({ service }) => whole(service.rate)],
  ['spread', ({ bare, spread }) => `${percent(bare?.spread)}/${percent(spread)}`],
  ['ratio', ({ ratio }) => ratio?.toFixed(2) ?? ''],
  ['middle half', ({ ratioRange }) => describeRange(ratioRange)],
  ['at 64', ({ ratio64 }) => ratio64?.toFixed(2) ?? ''],
  ['p50 ms', ({ service }) => service.p50Ms.toFixed(1)],
  ['p99 ms', ({ service }) => service.p99Ms.toFixed(1)],
  ['conns', ({ service }) => String(service.connections)],
  ['p99 at 50 %', ({ openLoop50 }) => openLoop50.p99Ms.toFixed(1)],
  ['p99 at 80 %', ({ openLoop }) => openLoop.p99Ms.toFixed(1)],
  ['µs PostgreSQL', ({ service }) => service.cpu.postgres.toFixed(1)],
  ['µs Node', ({ service }) => service.cpu.node.toFixed(1)],
  ['µs generator', ({ service }) => service.cpu.generator.toFixed(1)],
  ['goal', ({ scenario }) => describeGoal(scenario)],
  ['', ({ goalMet }) => (goalMet === undefined ? '' : goalMet ? 'met' : 'MISSED')],
]

export function printTable(summaries: readonly Summary[]) {
  const lines = [
    COLUMNS.map(([title]) => title),
    ...summaries.map((summary) => COLUMNS.map(([, show]) => show(summary))),
  ]
  printAligned(lines)
  console.log(
    `\nOperations per second and ratios: medians of the pairs; spread: the middle half of bare/service; p99 of the last columns: open loop at this share of the rate; µs of CPU time per operation.`,
  )
}

/** A shared machine can distort any figure, so the output describes the state of the machine. */
export function printConditions(runs: readonly { others: number; speed: number }[]) {
  const others = Math.max(...runs.map((each) => each.others))
  const speeds = runs.map((each) => each.speed)
  const spread = 1 - Math.min(...speeds) / Math.max(...speeds)
  const isQuiet = others <= OTHERS_MAX && spread <= SPEED_SPREAD_MAX
  console.log(
    `${isQuiet ? 'The machine was quiet' : 'Do not trust these figures: the machine was busy'}: its speed varied by ${percent(spread)}, others had up to ${percent(others)} of it.`,
  )
}

/** The first column is text, the others are figures. */
export function printAligned(lines: readonly string[][]) {
  const widths = lines[0]?.map((_, column) => {
    return Math.max(...lines.map((line) => line[column]?.length ?? 0))
  })
  for (const line of lines) {
    const cells = line.map((cell, column) => {
      const width = widths?.[column] ?? 0
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    console.log(cells.join('  ').trimEnd())
  }
}

function percent(fraction: number | undefined): string {
  return fraction === undefined ? '–' : `${Math.round(fraction * 100)}%`
}

function describeGoal({ goal, goal64 }: Scenario): string {
  if (goal === undefined) return ''
  const at64 = goal64 === undefined ? '' : `, ${goal64} at 64`
  return `≥ ${goal}${at64}, p99 ≤ ${OPEN_P99_GOAL_MS}`
}

function describeRange(range: Interval | undefined): string {
  return range ? `${range.low.toFixed(2)}–${range.high.toFixed(2)}` : ''
}

export function toJson(summary: Summary) {
  const { bare, service, ratio, ratio64, ratioRange, spread, goalMet, pairs } = summary
  const { node, postgres, generator } = service.cpu
  // Microseconds per operation are seconds per million operations.
  const cpu = { node: round(node, 1), postgres: round(postgres, 1), generator: round(generator, 1) }
  const openLoop = ({ rate, p50Ms, p99Ms }: Summary['openLoop']) => {
    return { rate: round(rate, 0), p50Ms: round(p50Ms, 1), p99Ms: round(p99Ms, 1) }
  }
  return {
    ...(bare && { bare: round(bare.rate, 0), bareClients: bare.clients }),
    ...(bare && { bare64: round(bare.at64, 0), ...spreadJson('bareSpread', bare.spread) }),
    service: round(service.rate, 0),
    ...(ratio !== undefined && { ratio: round(ratio, 3) }),
    ...(ratioRange && { ratioRange: [round(ratioRange.low, 3), round(ratioRange.high, 3)] }),
    ...(ratio64 !== undefined && { ratio64: round(ratio64, 3) }),
    p50Ms: round(service.p50Ms, 1),
    p99Ms: round(service.p99Ms, 1),
    connections: service.connections,
    ...spreadJson('spread', spread),
    cpuMicros: cpu,
    cpu,
    pairs,
    openLoop: openLoop(summary.openLoop),
    openLoop50: openLoop(summary.openLoop50),
    others: round(Math.max(service.others, bare?.others ?? 0), 3),
    walBytes: round(service.wal, 0),
    ...(goalMet !== undefined && { goalMet }),
  }
}

function spreadJson(name: string, spread: number | undefined) {
  return spread === undefined ? {} : { [name]: round(spread, 3) }
}

export interface Sizes {
  operations: number
  /** Bytes per operation: the rows and their indexes. */
  operation: { table: number; indexes: number }
  key: { table: number; indexes: number }
  /** Bytes per wallet. */
  wallet: { table: number; indexes: number }
}

export async function readSizes({ control }: Setup, operations: number): Promise<Sizes> {
  const { rows } = await control.query(
    `select case when c.relname like 'operations%' then 'operation' when c.relname = 'operation_keys' then 'key' else 'wallet' end as what,
       sum(pg_table_size(c.oid)) as "table", sum(pg_indexes_size(c.oid)) as indexes
     from pg_class c where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r'
       and (c.relname like 'operations%' or c.relname in ('operation_keys', 'wallets')) group by 1`,
  )
  const wallets = await control.query('select count(*) as count from ledger.wallets')
  const per = (what: string) => {
    const row = rows.find((each) => each.what === what)
    const count = what === 'wallet' ? Number(wallets.rows[0].count) : operations
    const each = (bytes: string) => Math.round(Number(bytes) / count)
    return { table: each(row.table), indexes: each(row.indexes) }
  }
  return { operations, operation: per('operation'), key: per('key'), wallet: per('wallet') }
}

export function printSizes(sizes: Sizes, wal: { first: number; least: number } | undefined) {
  const { operation, key, wallet } = sizes
  const show = (name: string, { table, indexes }: { table: number; indexes: number }) =>
    `${name} ${whole(table + indexes)} B (${whole(table)} table, ${whole(indexes)} indexes)`
  console.log(
    `\nStored with ${sizes.operations} operations: per operation ${show('row', operation)}, ${show('key', key)}; per wallet ${show('row', wallet)}.`,
  )
  if (wal === undefined) return
  console.log(
    `WAL per debit: ${whole(wal.first)} B right after a checkpoint, when whole pages are logged; ${whole(wal.least)} B at best.`,
  )
}
