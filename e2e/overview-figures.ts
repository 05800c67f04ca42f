/** Figures of several months, which no test can wait for. */
import type { readOverview } from '@coffer/contract/admin/overview'

type Overview = (typeof readOverview.response)['_zod']['output']

const DAY_MS = 86_400_000
const NAMES = [
  'Corner Shop',
  'Tea House',
  'Wanderlust Cycling & Outdoor Equipment Cooperative of the Northern Valleys',
  'Books',
  'Games',
]

const NOTHING = { debits: 0, credits: 0, topups: 0, requests: 0, refused: 0 }

/** Weekends are quiet and the volume grows; the figures are the same every time. */
function shapeOf(index: number): number {
  const week = [1, 1.1, 1.15, 1.2, 1.3, 0.7, 0.55][index % 7] ?? 1
  return week * (1 + index / 60) * (1 + 0.12 * Math.sin(index * 1.7))
}

function makeSlot(at: number, index: number): Overview['slots'][number] {
  const shape = shapeOf(index)
  const cents = (value: number) => Math.round(value * 100) / 100
  const begun = Math.round(210 * shape)
  const ended = Math.round(begun * (0.06 + 0.03 * Math.sin(index)))
  return {
    at: new Date(at).toISOString(),
    debits: { count: Math.round(4_200 * shape), amount: cents(61_500.35 * shape) },
    credits: { count: Math.round(380 * shape), amount: cents(9_140.2 * shape) },
    topups: { count: begun - ended, amount: cents(52_300.5 * shape * (1 + 0.2 * Math.cos(index))) },
    topupsBegun: begun,
    topupsPaid: begun - ended,
    topupsEnded: ended,
    requests: Math.round(31_000 * shape),
    failed: index % 11 === 3 ? 120 : Math.round(2 * shape),
    p50Ms: cents(4.2 + 0.6 * Math.sin(index)),
    p99Ms: cents(31 + 9 * Math.abs(Math.sin(index / 2)) + (index % 11 === 3 ? 40 : 0)),
  }
}

export function makeFigures(days: number): Overview {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const slots = Array.from({ length: days }, (_, index) =>
    makeSlot(today - (days - 1 - index) * DAY_MS, index),
  )
  return {
    currency: 'USD',
    step: 'day',
    walletsTotal: 1_284_930.42,
    debt: 311.5,
    unclaimed: 42,
    slots,
    comparison: {
      now: {
        debits: 2_103_400,
        credits: 312_900,
        topups: 1_790_200,
        requests: 1_060_000,
        refused: 21_200,
      },
      before: {
        debits: 1_842_300,
        credits: 331_400,
        topups: 1_615_800,
        requests: 1_060_000,
        refused: 24_900,
      },
    },
    todo: {
      approvals: 2,
      disputes: 1,
      frozenWallets: 3,
      webhookApps: [{ clientId: `app_${'1'.padStart(24, '0')}`, name: 'Tea House' }],
      moreWebhookApps: 0,
    },
    others: [
      { kind: 'bonus', count: 41, amount: 410 },
      { kind: 'card_refund', count: 12, amount: 380.25 },
    ],
    refusals: [
      { code: 'INSUFFICIENT_BALANCE', count: 18_230 },
      { code: 'USER_NOT_FOUND', count: 2_114 },
      { code: 'INVALID_REQUEST', count: 803 },
      { code: 'RATE_LIMITED', count: 77 },
      { code: 'CREDIT_LIMIT_EXCEEDED', count: 3 },
    ],
    settlements: NAMES.map((name, index) => ({
      clientId: `app_${String(index).padStart(24, '0')}`,
      name,
      debits: { count: 90_000, amount: 480_000.5 / (index + 1) },
      credits: { count: 9_000, amount: 72_000.25 / (index + 1) },
      settlement: (index === 3 ? -1 : 1) * (408_000.25 / (index + 1)),
    })),
    moreApps: 12,
    checks: [
      {
        name: 'doctor',
        isOk: true,
        finishedAt: new Date(today).toISOString(),
        summary: '0 errors, 1 warning.',
      },
      {
        name: 'reconcile',
        isOk: false,
        finishedAt: new Date(today).toISOString(),
        summary: '1 difference. 1482 payments agree, 51230.00 USD.',
      },
    ],
    books: {
      isVerifierEnabled: true,
      balancedAt: new Date(today + 43_391_000).toISOString(),
      operations: 1_203_442,
      verifiedAt: new Date(today + 41_000_000).toISOString(),
      verifiedOperations: 1_201_118,
      verifiedSoFar: 402_000,
      fault: null,
      faultAt: null,
    },
  }
}

export function makeFaultyFigures(): Overview {
  const figures = makeFigures(7)
  const fault = 'wallet 4711, operation 12: the hash does not match the row'
  return { ...figures, books: { ...figures.books, fault, faultAt: new Date().toISOString() } }
}

export function makeNewFigures(): Overview {
  const figures = makeFigures(7)
  const none = { count: 0, amount: 0 }
  return {
    ...figures,
    walletsTotal: 0,
    debt: 0,
    unclaimed: 0,
    others: [],
    refusals: [],
    settlements: [],
    moreApps: 0,
    comparison: { now: NOTHING, before: NOTHING },
    todo: { approvals: 0, disputes: 0, frozenWallets: 0, webhookApps: [], moreWebhookApps: 0 },
    slots: figures.slots.map(({ at }) => ({
      at,
      debits: none,
      credits: none,
      topups: none,
      topupsBegun: 0,
      topupsPaid: 0,
      topupsEnded: 0,
      requests: 0,
      failed: 0,
      p50Ms: null,
      p99Ms: null,
    })),
    books: {
      ...figures.books,
      balancedAt: null,
      operations: null,
      verifiedAt: null,
      verifiedOperations: null,
      verifiedSoFar: null,
    },
  }
}
