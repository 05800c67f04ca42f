import type { readOverview as endpoint } from '@coffer/contract/admin/overview'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import { readFigures, type Figures, type Movement } from '../../books/read-figures.ts'
import type { Context } from '../../context.ts'
import type { Kind } from '../../ledger/types.ts'
import {
  countTopups,
  findAppsOfAccounts,
  sumTraffic,
  type AccountAppRow,
  type Step,
  type TopupSlotRow,
  type TrafficRow,
} from './queries.ts'
import { findPercentile } from './find-percentile.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const APPS_MAX = 20
const PERIODS = {
  '24h': { step: 'hour', count: 24, stepMs: HOUR_MS },
  '7d': { step: 'day', count: 7, stepMs: DAY_MS },
  '30d': { step: 'day', count: 30, stepMs: DAY_MS },
  '90d': { step: 'day', count: 90, stepMs: DAY_MS },
} as const satisfies Record<string, { step: Step; count: number; stepMs: number }>

/** Those that have a place of their own in the overview. */
const MAIN: readonly Kind[] = ['debit', 'credit', 'topup']

type Overview = z.output<typeof endpoint.answer>
type Slot = Overview['slots'][number]

export async function readOverview(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { period }: z.output<typeof endpoint.input>,
): Promise<Overview> {
  const { currency } = config
  const { step, count, stepMs } = PERIODS[period]
  const lastMs = Math.floor(Date.now() / stepMs) * stepMs
  const times = Array.from({ length: count }, (_, index) => lastMs - (count - 1 - index) * stepMs)
  const from = new Date(times[0] ?? lastMs)
  const [figures, topups, traffic] = await Promise.all([
    readFigures(db, from, step),
    db.query<TopupSlotRow>(countTopups(from, step)),
    db.query<TrafficRow>(sumTraffic(from, step)),
  ])
  const accounts = [...figures.settlements.keys()]
  const apps = await db.query<AccountAppRow>(findAppsOfAccounts(accounts))
  const topupsAt = new Map(topups.rows.map((row) => [row.at.getTime(), row]))
  const answersAt = Map.groupBy(traffic.rows, ({ at }) => at.getTime())
  return {
    currency: currency.code,
    step,
    held: toWireNumber(figures.held, currency),
    debt: toWireNumber(figures.debt, currency),
    slots: times.map((atMs) => ({
      at: new Date(atMs).toISOString(),
      ...showMovements(figures.slots.get(atMs), currency),
      ...showTopups(topupsAt.get(atMs)),
      ...showAnswers(answersAt.get(atMs) ?? []),
    })),
    others: showOthers(figures, currency),
    refusals: showRefusals(traffic.rows),
    ...showSettlements(figures, apps.rows, currency),
    books: showBooks(figures, config.verifyPercent > 0),
  }
}

function showMovement(movement: Movement | undefined, currency: Currency) {
  const { count, change } = movement ?? { count: 0n, change: 0n }
  return { count: Number(count), amount: toWireNumber(change < 0n ? -change : change, currency) }
}

function showMovements(
  kinds: Map<Kind, Movement> | undefined,
  currency: Currency,
): Pick<Slot, 'debits' | 'credits' | 'topups'> {
  const show = (kind: Kind) => showMovement(kinds?.get(kind), currency)
  return { debits: show('debit'), credits: show('credit'), topups: show('topup') }
}

function showTopups(row: TopupSlotRow | undefined) {
  return {
    topupsBegun: Number(row?.begun ?? 0n),
    topupsPaid: Number(row?.paid ?? 0n),
    topupsEnded: Number(row?.ended ?? 0n),
  }
}

function showAnswers(rows: readonly TrafficRow[]) {
  const statuses = rows.filter(({ kind }) => kind === 'status')
  const latencies = rows
    .filter(({ kind }) => kind === 'latency')
    .map(({ value, count }) => ({ step: Number(value), count: Number(count) }))
  return {
    requests: addCounts(statuses),
    failed: addCounts(statuses.filter(({ value }) => value.startsWith('5'))),
    p50Ms: findPercentile(latencies, 0.5),
    p99Ms: findPercentile(latencies, 0.99),
  }
}

function addCounts(rows: readonly TrafficRow[]): number {
  return rows.reduce((sum, { count }) => sum + Number(count), 0)
}

function showOthers({ slots }: Figures, currency: Currency): Overview['others'] {
  const sums = new Map<Kind, Movement>()
  for (const [kind, { count, change }] of [...slots.values()].flatMap((kinds) => [...kinds])) {
    if (MAIN.includes(kind)) continue
    const before = sums.get(kind) ?? { count: 0n, change: 0n }
    sums.set(kind, { count: before.count + count, change: before.change + change })
  }
  return [...sums].map(([kind, movement]) => ({ kind, ...showMovement(movement, currency) }))
}

function showRefusals(rows: readonly TrafficRow[]): Overview['refusals'] {
  const codes = rows.filter(({ kind }) => kind === 'code')
  return [...Map.groupBy(codes, ({ value }) => value)]
    .map(([code, counts]) => ({ code, count: addCounts(counts) }))
    .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1))
}

function showSettlements(
  { settlements, accounts }: Figures,
  apps: readonly AccountAppRow[],
  currency: Currency,
): Pick<Overview, 'settlements' | 'moreApps'> {
  const sized = apps
    .map((app) => ({ app, owed: settlements.get(app.account_id) ?? 0n }))
    .toSorted((one, other) => compare(magnitude(other.owed), magnitude(one.owed)))
  const shown = sized.slice(0, APPS_MAX).map(({ app, owed }) => {
    const kinds = accounts.get(app.account_id)
    return {
      clientId: app.client_id,
      name: app.name,
      debits: showMovement(kinds?.get('debit'), currency),
      credits: showMovement(kinds?.get('credit'), currency),
      settlement: toWireNumber(owed, currency),
    }
  })
  return { settlements: shown, moreApps: sized.length - shown.length }
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other)
}

function showBooks({ proof }: Figures, isVerified: boolean): Overview['books'] {
  const toNumber = (value: bigint | null) => (value === null ? null : Number(value))
  return {
    isVerified,
    balancedAt: proof.balancedAt?.toISOString() ?? null,
    operations: toNumber(proof.balancedOperations),
    provedAt: proof.provedAt?.toISOString() ?? null,
    provedOperations: toNumber(proof.provedOperations),
    walkedOperations: proof.place === null ? null : Number(proof.roundOperations),
    fault: proof.fault,
    faultAt: proof.faultAt?.toISOString() ?? null,
  }
}
