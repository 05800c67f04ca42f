import type { readOverview as endpoint } from '@coffer/contract/admin/overview'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import { readFigures, type Figures, type Movement } from '../../books/read-figures.ts'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import { UNCLAIMED_ACCOUNT, type Kind } from '../../ledger/types.ts'
import { LIST_CHECKS } from '../check-queries.ts'
import { comparePeriods } from './compare-periods.ts'
import {
  countTopups,
  findAppsOfAccounts,
  sumTraffic,
  type AccountApp,
  type Step,
  type TopupCounts,
  type Traffic,
} from './queries.ts'
import { readTodo } from './read-todo.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const APPS_MAX = 20
const PERIODS = {
  '24h': { step: 'hour', count: 24, stepMs: HOUR_MS },
  '7d': { step: 'day', count: 7, stepMs: DAY_MS },
  '30d': { step: 'day', count: 30, stepMs: DAY_MS },
  '90d': { step: 'day', count: 90, stepMs: DAY_MS },
} as const satisfies Record<string, { step: Step; count: number; stepMs: number }>

/** The kinds that the overview shows separately. */
const MAIN: readonly Kind[] = ['debit', 'credit', 'topup']

type Overview = z.output<typeof endpoint.response>
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
  const [figures, topups, traffic, todo, checks] = await Promise.all([
    readFigures(db, from, step),
    many(db, countTopups(from, step)),
    many(db, sumTraffic(from, step)),
    readTodo(db),
    many(db, LIST_CHECKS),
  ])
  const [apps, comparison] = await Promise.all([
    many(db, findAppsOfAccounts([...figures.settlements.keys()])),
    comparePeriods(
      db,
      { fromMs: from.getTime(), lengthMs: count * stepMs, step, totalsUpTo: figures.totalsUpTo },
      currency,
    ),
  ])
  const topupsAt = new Map(topups.map((counts) => [counts.at.getTime(), counts]))
  const trafficAt = Map.groupBy(traffic, ({ at }) => at.getTime())
  return {
    currency: currency.code,
    step,
    walletsTotal: toWireNumber(figures.walletsTotal, currency),
    debt: toWireNumber(figures.debt, currency),
    unclaimed: toWireNumber(figures.settlements.get(BigInt(UNCLAIMED_ACCOUNT)) ?? 0n, currency),
    slots: times.map((atMs) => ({
      at: new Date(atMs).toISOString(),
      ...showMovements(figures.slots.get(atMs), currency),
      ...showTopups(topupsAt.get(atMs)),
      ...showTraffic(trafficAt.get(atMs) ?? []),
    })),
    comparison,
    todo,
    others: showOthers(figures, currency),
    refusals: showRefusals(traffic),
    ...showSettlements(figures, apps, currency),
    checks: checks.map(({ name, isOk, finishedAt, summary }) => ({
      name,
      isOk,
      finishedAt: finishedAt.toISOString(),
      summary,
    })),
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

function showTopups(counts: TopupCounts | undefined) {
  return {
    topupsBegun: counts?.started ?? 0,
    topupsPaid: counts?.paid ?? 0,
    topupsEnded: counts?.ended ?? 0,
  }
}

function showTraffic(traffic: readonly Traffic[]) {
  const statuses = traffic.filter(({ kind }) => kind === 'status')
  const latencies = traffic
    .filter(({ kind }) => kind === 'latency')
    .map(({ value, count }) => ({ step: Number(value), count }))
  return {
    requests: addCounts(statuses),
    failed: addCounts(statuses.filter(({ value }) => value.startsWith('5'))),
    p50Ms: findPercentile(latencies, 0.5),
    p99Ms: findPercentile(latencies, 0.99),
  }
}

function addCounts(traffic: readonly Traffic[]): number {
  return traffic.reduce((sum, { count }) => sum + count, 0)
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

function showRefusals(traffic: readonly Traffic[]): Overview['refusals'] {
  const codes = traffic.filter(({ kind }) => kind === 'code')
  return [...Map.groupBy(codes, ({ value }) => value)]
    .map(([code, counts]) => ({ code, count: addCounts(counts) }))
    .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1))
}

function showSettlements(
  { settlements, accounts }: Figures,
  apps: readonly AccountApp[],
  currency: Currency,
): Pick<Overview, 'settlements' | 'moreApps'> {
  const sized = apps
    .map((app) => ({ app, owed: settlements.get(app.accountId) ?? 0n }))
    .toSorted((one, other) => compare(magnitude(other.owed), magnitude(one.owed)))
  const shown = sized.slice(0, APPS_MAX).map(({ app, owed }) => {
    const kinds = accounts.get(app.accountId)
    return {
      clientId: app.clientId,
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

function showBooks({ verification }: Figures, isVerifierEnabled: boolean): Overview['books'] {
  const toNumber = (value: bigint | null) => (value === null ? null : Number(value))
  return {
    isVerifierEnabled,
    balancedAt: verification.balancedAt?.toISOString() ?? null,
    operations: toNumber(verification.balancedOperations),
    verifiedAt: verification.verifiedAt?.toISOString() ?? null,
    verifiedOperations: toNumber(verification.verifiedOperations),
    verifiedSoFar: verification.position === null ? null : Number(verification.roundOperations),
    fault: verification.fault,
    faultAt: verification.faultAt?.toISOString() ?? null,
  }
}

/** Responses that took up to 2 ^ (step / 3) ms, and longer than the previous step. */
interface LatencyCount {
  step: number
  count: number
}

/** The response time in milliseconds below which this part of the responses lies; null if there were none. */
export function findPercentile(counts: readonly LatencyCount[], part: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  let below = 0
  for (const { step, count } of counts.toSorted((one, other) => one.step - other.step)) {
    if (below + count >= total * part) {
      const from = step === 0 ? 0 : 2 ** ((step - 1) / 3)
      const to = 2 ** (step / 3)
      return Math.round((from + (to - from) * ((total * part - below) / count)) * 10) / 10
    }
    below += count
  }
  return null
}
