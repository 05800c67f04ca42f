/** What the model of money knows: client apps, wallets, links, decisions and entries. Amounts are minor units. */
import type { SecretScope } from '@coffer/contract/endpoint'
import type { ErrorCode } from '@coffer/contract/errors'
import type { Bound } from '../bind.ts'
import type { SpendLimit } from './spend-limit.ts'

export const BALANCE_MAX = 999_999_999_999_999
export const CURRENCY = 'USD'

export const TYPES = ['debit', 'credit', 'refund', 'hold', 'capture', 'release'] as const
export type Type = (typeof TYPES)[number]
/** What the service posts itself: card payments, disputes, and what operators give or take. */
export type OwnKind =
  'topup' | 'card_refund' | 'seizure' | 'reversal' | 'bonus' | 'correction_in' | 'correction_out'

export interface Reference {
  referenceType: string
  referenceId: string
}

/** An operation as a client app sends it. */
export interface Request extends Reference {
  type: Type
  serviceUserId?: string
  debit?: Reference
  hold?: Reference
  amount?: string
  isFinal?: boolean
  expiresInSeconds?: number
  description?: string
  metadata?: Record<string, string>
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  replayed?: true
  mismatch?: string
  retryAfterSeconds?: number
}

export interface App {
  index: number
  name: string
  clientId: string
  /** What a repeat that differs gets: the first outcome, or 409. */
  onMismatch: 'replay' | 'conflict'
  creditLimit: number | null
  /** What its restricted secret can do. */
  secretScopes: readonly SecretScope[]
  /** What the platform owes the app. */
  owed: number
  /** By reference. */
  decisions: Map<string, Decision>
  events: { type: string; data: Record<string, unknown> }[]
}

export interface Wallet {
  index: number
  balance: number
  debt: number
  held: number
  isActive: boolean
  isClosed: boolean
  entries: Entry[]
  limits: Map<App, SpendLimit>
  /** How many entries balance.changed has covered. */
  reported: number
}

export interface Link {
  app: App
  wallet: Wallet
  serviceUserId: string
  isLive: boolean
  /** How many entries the wallet had before the link. */
  since: number
}

export interface Decision extends Reference {
  id: number
  atMs: number
  type: Type
  app: App
  wallet: Wallet
  link: Link
  /** undefined: an operator released the hold. */
  request: Request | undefined
  amount: number
  isAmountOmitted: boolean
  isFinal: boolean
  /** How long a hold lasts. */
  seconds: number
  /** The debit or capture of a refund; the hold of a capture or release. */
  target: Decision | undefined
  refusal: ErrorCode | null
  /** Whether the app may not see the balance. */
  isBalanceHidden: boolean
  balance: number
  /** What was left of the target right after it. */
  left: number
  released: number
  entry: Entry | undefined
  /** Of a debit or capture: how much was refunded. */
  refunded: number
  /** Of a debit or hold: how much counts for a spending limit. */
  taken: number
  captured: number
  remaining: number
  isSuspended: boolean
  closedBy: 'capture' | 'release' | 'expiry' | null
  /** Later requests with its reference that differed. */
  attempts: { type: Type; amount: number; differs: string[]; wallet: Wallet | undefined }[]
}

/** An operation in the history of a wallet. */
export interface Entry extends Reference {
  wallet: Wallet
  seq: number
  atMs: number
  kind: Type | OwnKind | 'expiry'
  /** The app that made it, or whose hold expired. */
  app: App | undefined
  decision: Decision | undefined
  target: Decision | undefined
  change: number
  debtChange: number
  heldChange: number
  balanceAfter: number
  description: string | null
  /** Why an operator made it. */
  reason: string | undefined
}

export function keyOf({ referenceType, referenceId }: Reference): string {
  return JSON.stringify([referenceType, referenceId])
}

export function referenceOf({ referenceType, referenceId }: Reference): Reference {
  return { referenceType, referenceId }
}

/** What a response contains for an amount. */
export function toMajor(minor: number): number {
  return minor / 100 || 0
}

/** Its id as a client app or the person sees it: each sees another one. */
export function idOf({ wallet, seq }: Entry, viewer: App | 'person'): Bound {
  return { $: `txn ${viewer === 'person' ? viewer : viewer.index} ${wallet.index} ${seq}` }
}

export function timeOf({ wallet, seq }: Entry): Bound {
  return { $: `at ${wallet.index} ${seq}` }
}

export function timeOfDecision({ entry, app, id }: Decision): Bound {
  return entry ? timeOf(entry) : { $: `at refusal ${app.index} ${id}` }
}

export function parseAmount(text: string): number | undefined {
  return /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : undefined
}
