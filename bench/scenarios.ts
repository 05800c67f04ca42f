/** The measured scenarios and their goals. */

export type ScenarioName =
  'uniform' | 'mix' | 'hot' | 'read' | 'wallet' | 'batch' | 'capture' | 'refund'

export interface Scenario {
  name: ScenarioName
  title: string
  /** The file of the baseline; a scenario without one is only reported. */
  baseline?: string
  /** One hot row needs fewer clients than the other scenarios. */
  fewClients?: number[]
  /** Of the generator, instead of those of the plan. */
  connections?: number
  /** Per request, if it is not one. */
  operations?: number
  writes: boolean
  /** Relative to the best bare figure. */
  goal?: number
  /** Relative to the bare figure at 64 clients. */
  goal64?: number
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'uniform',
    title: 'debit, random wallets',
    baseline: 'debit-uniform.sql',
    writes: true,
    goal: 0.9,
  },
  {
    name: 'mix',
    title: 'debit, 80 % on 20 wallets',
    baseline: 'debit-mix.sql',
    writes: true,
    goal: 1,
  },
  {
    name: 'hot',
    title: 'debit, one wallet',
    baseline: 'debit-hot.sql',
    fewClients: [2, 4],
    writes: true,
    goal: 1.6,
    goal64: 5.5,
  },
  {
    name: 'read',
    title: 'check-balance',
    baseline: 'read.sql',
    writes: false,
    goal: 0.6,
  },
  { name: 'wallet', title: 'wallet, limit=10', writes: false },
  {
    name: 'batch',
    title: '100 debits per request',
    baseline: 'debit-uniform.sql',
    connections: 8,
    operations: 100,
    writes: true,
    goal: 1.5,
  },
  {
    name: 'capture',
    title: '50 holds and 50 captures of earlier holds per request',
    connections: 8,
    operations: 100,
    writes: true,
  },
  {
    name: 'refund',
    title: '50 debits and 50 refunds of earlier debits per request',
    connections: 8,
    operations: 100,
    writes: true,
  },
]

/** Of the closed loop: more connections only add waiting. */
export const P99_GOAL_MS = 100
/** At 80 % of the capacity, in an open loop. */
export const OPEN_P99_GOAL_MS = 40

/** Duration and number of runs. */
export interface Plan {
  wallets: number
  /** Of each wallet. */
  entries: number
  /** Slices of the bare engine and of the service that follow each other. */
  pairs: number
  sliceSeconds: number
  openSeconds: number
  bareClients: number[]
  /** Of the generator, tried in this order until the 99th percentile is within its goal. */
  connections: number[]
  quick: boolean
}

export const FULL: Plan = {
  wallets: 1_000_000,
  entries: 10,
  pairs: 9,
  sliceSeconds: 4,
  openSeconds: 10,
  bareClients: [8, 16, 32, 64],
  connections: [256, 128, 64],
  quick: false,
}
export const QUICK: Plan = {
  wallets: 100_000,
  entries: 10,
  pairs: 3,
  sliceSeconds: 2,
  openSeconds: 4,
  bareClients: [8, 64],
  connections: [128, 64],
  quick: true,
}
