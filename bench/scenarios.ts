/** The measured scenarios and their goals. */

export type ScenarioName = 'uniform' | 'mix' | 'hot' | 'read' | 'wallet'

export interface Scenario {
  name: ScenarioName
  title: string
  /** The file of the baseline; a scenario without one is only reported. */
  baseline?: string
  /** One hot row needs fewer clients than the other scenarios. */
  fewClients?: number[]
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
    goal: 1,
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
    goal: 1.25,
    goal64: 5,
  },
  {
    name: 'read',
    title: 'check-balance',
    baseline: 'read.sql',
    writes: false,
    goal: 0.4,
  },
  { name: 'wallet', title: 'wallet, limit=10', writes: false },
]

export const P99_GOAL_MS = 100

/** Duration and number of runs. */
export interface Plan {
  wallets: number
  rounds: number
  bareSeconds: number
  serviceSeconds: number
  bareClients: number[]
  /** Of the generator, tried in this order until the 99th percentile is within its goal. */
  connections: number[]
  quick: boolean
}

export const FULL: Plan = {
  wallets: 1_000_000,
  rounds: 2,
  bareSeconds: 8,
  serviceSeconds: 10,
  bareClients: [8, 16, 32, 64],
  connections: [256, 128, 64],
  quick: false,
}
export const QUICK: Plan = {
  wallets: 100_000,
  rounds: 1,
  bareSeconds: 2,
  serviceSeconds: 4,
  bareClients: [8, 64],
  connections: [128, 64],
  quick: true,
}
