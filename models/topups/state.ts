/** People, top-ups and what belongs to them, as the model knows them. Amounts are in minor units. */
import type { ErrorCode } from '@coffer/contract/errors'
import type { Intent, SavedCard } from './processor.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export interface Entry {
  kind: 'topup' | 'card_refund' | 'seizure' | 'reversal' | 'debit'
  amount: number
  /** Of what it is the movement: at most one entry per kind and key. */
  key: string
}

export interface Automatic {
  threshold: number
  amount: number
  monthMax: number
  timeZone: string
  card: SavedCard
  suspendedFor: 'authentication' | 'failures' | 'card' | null
  failures: number
  nextTryMs: number
}

export interface Person {
  index: number
  balance: number
  debt: number
  /** What arrived after the account was deleted. */
  unclaimed: number
  /** How often. */
  unclaimedTimes: number
  isActive: boolean
  isDeleted: boolean
  areLinksEnded: boolean
  hasCustomer: boolean
  cards: SavedCard[]
  automatic: Automatic | null
  entries: Entry[]
  /** Widget sessions and logins that began before are over. */
  sessionsSinceMs: number
  logInSinceMs: number
}

export type ReportedBy = 'page' | 'webhook' | 'sweeper' | 'command'

export interface Refund {
  topup: Topup
  key: string
  amount: number
  state: 'reserved' | 'sent' | 'released' | 'refused'
  isMadeAtProcessor: boolean
  nextCheckMs: number
  checks: number
}

export interface Topup {
  index: number
  person: Person
  /** null: at /account. */
  app: number | null
  amount: number
  saved: SavedCard | null
  saves: boolean
  isAutomatic: boolean
  state: 'open' | 'credited' | 'ended'
  intent: Intent | null
  /** The service knows the intent. */
  isBound: boolean
  createdMs: number
  endedMs: number | null
  reportedBy: ReportedBy | null
  nextCheckMs: number
  checks: number
  failedMs: number[]
  refunds: Refund[]
  disputeStatus: string | null
  /** The terms under which it was started. */
  terms: Automatic | null
}

export interface ProcessorEvent {
  id: string
  type: string
  topup: Topup
  isKnown: boolean
  isDone: boolean
}

export interface Answer {
  status?: number
  code?: ErrorCode
  /** In Retry-After. */
  waitMs?: number
  body?: Record<string, unknown>
  topup?: Topup
}

export const LIMITS = { min: 100, max: 3000, perDay: 11_000, perHour: 5 }

export function refuse(code: ErrorCode, waitMs?: number): Answer {
  return { code, ...(waitMs !== undefined && { waitMs }) }
}

export function isOneOf<Value>(values: readonly Value[], value: unknown): value is Value {
  return (values as readonly unknown[]).includes(value)
}
