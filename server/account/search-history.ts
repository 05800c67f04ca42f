/** The wallet's entries as their owner and operators see them: all of them, complete, with the names of the apps. */
import type { readHistory as endpoint } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { many } from '../database/statement.ts'
import { digestPair } from '../ledger/digest.ts'
import { startOfDay } from '../ledger/post/find-period.ts'
import { isOfApp, type Kind, type Operation } from '../ledger/types.ts'
import { findAccountsByName, readAppNames } from './queries.ts'
import { requireTimeZone } from './require-time-zone.ts'

/** How many operations one statement reads, and how many statements one call runs; then the caller continues. */
const SPAN = 20_000n
const SPANS_MAX = 10
const DAY_MS = 24 * 60 * 60 * 1000

/** No ledger account has this number, so the ids and cursors of the person's own view are distinct. */
export const PERSON_VIEWER = -1

export type HistoryFilter = Omit<z.output<typeof endpoint.input>, 'cursor'> & {
  kind?: Kind | undefined
  /** That of a client app: only its own operations. */
  ledgerAccount?: number | undefined
  /** Instants, which need not be the bounds of a day of UTC. */
  period?: { from?: Date; before: Date } | undefined
}

export interface HistoryBounds {
  fromSeq: bigint
  limit: number
  /** After this time the page ends, and the caller continues from there. */
  timeLimitMs?: number | undefined
}

const KINDS: readonly { kind: Kind; type: string; source: string }[] = [
  { kind: 'debit', type: 'debit', source: 'app' },
  { kind: 'credit', type: 'credit', source: 'app' },
  { kind: 'topup', type: 'credit', source: 'topup' },
  { kind: 'bonus', type: 'credit', source: 'bonus' },
  { kind: 'seizure', type: 'debit', source: 'dispute' },
  { kind: 'reversal', type: 'credit', source: 'dispute' },
  { kind: 'card_refund', type: 'debit', source: 'topup' },
  { kind: 'correction_in', type: 'credit', source: 'correction' },
  { kind: 'correction_out', type: 'debit', source: 'correction' },
  { kind: 'refund', type: 'credit', source: 'app' },
  { kind: 'hold', type: 'debit', source: 'hold' },
  { kind: 'capture', type: 'credit', source: 'hold' },
  { kind: 'release', type: 'credit', source: 'hold' },
  { kind: 'expiry', type: 'credit', source: 'hold' },
]

/** The kinds that match all of the given values. */
export function selectKinds({
  type,
  source,
  kind,
}: Pick<HistoryFilter, 'type' | 'source' | 'kind'>): Kind[] {
  const fitting = KINDS.filter(
    (each) =>
      (type ?? each.type) === each.type &&
      (source ?? each.source) === each.source &&
      (kind ?? each.kind) === each.kind,
  )
  return fitting.map((each) => each.kind)
}

export interface OperationOfApp {
  operation: Operation
  /** The name of the client app; null if it is not an operation of an app. */
  app: string | null
}

export interface HistoryPage {
  entries: OperationOfApp[]
  /** Where the next page starts; null: there is none. */
  nextSeq: bigint | null
}

export async function readNewestSeq({ ledger }: Context, walletId: bigint): Promise<bigint> {
  const wallet = await ledger.readWallet(walletId)
  assert(wallet, 'a person has a wallet')
  return wallet.seq
}

export async function searchHistory(
  context: Context,
  walletId: bigint,
  filter: HistoryFilter,
  { fromSeq, limit, timeLimitMs = Infinity }: HistoryBounds,
): Promise<HistoryPage> {
  if (Object.values(filter).every((each) => each === undefined || each === '')) {
    return readAll(context, walletId, fromSeq, limit)
  }
  const { words, ...conditions } = await toSearch(context, filter)
  const criteria = { walletId, ...conditions, ...(await findNamed(context, walletId, words)) }
  const found: Operation[] = []
  const untilMs = performance.now() + timeLimitMs
  let upToSeq = fromSeq
  // One more than the page shows whether there is a next page.
  for (let span = 0; span < SPANS_MAX && upToSeq > 0n && found.length <= limit; span++) {
    if (span > 0 && performance.now() > untilMs) break
    const downToSeq = upToSeq > SPAN ? upToSeq - SPAN + 1n : 1n
    const left = limit + 1 - found.length
    const bounds = { upToSeq, downToSeq, limit: left }
    found.push(...(await context.ledger.searchHistory({ ...criteria, ...bounds })))
    upToSeq = downToSeq - 1n
  }
  const next = found.length > limit ? found.pop()?.seq : undefined
  return {
    entries: await nameApps(context, found),
    nextSeq: next ?? (upToSeq > 0n ? upToSeq : null),
  }
}

/** The id of an entry finds it, and the refunds of it if it is a debit. */
async function findNamed({ ledger, transactionIds }: Context, walletId: bigint, words: string) {
  const found = transactionIds.decode(PERSON_VIEWER, words)
  if (found?.walletId !== walletId) return {}
  const { seq } = found
  const [named] = await ledger.readHistoryPage(walletId, seq, 1)
  if (named?.kind !== 'debit' && named?.kind !== 'capture') return { seq }
  const { counterAccount, referenceType, referenceId } = named
  return { seq, target: digestPair(counterAccount, referenceType, referenceId) }
}

/** Without a filter, the newest operations are in the newest months. */
async function readAll(
  context: Context,
  walletId: bigint,
  fromSeq: bigint,
  limit: number,
): Promise<HistoryPage> {
  const { ledger } = context
  const found = fromSeq > 0n ? await ledger.readHistoryPage(walletId, fromSeq, limit + 1) : []
  const next = found.length > limit ? found.pop()?.seq : undefined
  return { entries: await nameApps(context, found), nextSeq: next ?? null }
}

async function toSearch({ db }: Context, filter: HistoryFilter) {
  const { search = '', ledgerAccount, from, to, timeZone = 'UTC', period } = filter
  requireTimeZone(timeZone)
  const words = search.trim()
  const pattern = words === '' ? undefined : `%${words.replace(/[\\%_]/g, '\\$&')}%`
  const accounts = pattern === undefined ? [] : await many(db, findAccountsByName(pattern))
  return {
    words,
    kinds: selectKinds(filter),
    pattern,
    accounts,
    counterAccount: ledgerAccount,
    from: from === undefined ? period?.from : startOf(timeZone, from),
    before: to === undefined ? period?.before : startOf(timeZone, to, 1),
  }
}

/** Of a day, or of the day so many days later. No entry is older than 1970. */
function startOf(timeZone: string, day: string, daysLater = 0): Date {
  const number = Math.max(0, Date.parse(day) / DAY_MS)
  return new Date(startOfDay(timeZone, number + daysLater))
}

async function nameApps(
  { db }: Context,
  operations: readonly Operation[],
): Promise<OperationOfApp[]> {
  const made = operations.filter(({ kind }) => isOfApp(kind) || kind === 'expiry')
  const accounts = [...new Set(made.map(({ counterAccount }) => counterAccount))]
  if (accounts.length === 0) return operations.map((operation) => ({ operation, app: null }))
  const names = new Map(await many(db, readAppNames(accounts)))
  return operations.map((operation) => ({
    operation,
    app: names.get(operation.counterAccount) ?? null,
  }))
}
