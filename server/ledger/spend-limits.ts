/** Reads and changes what client apps may take from a wallet. Batches check it. */
import * as query from './post/spend-queries.ts'
import assert from 'node:assert/strict'
import type pg from 'pg'
import { type Database, many, one, run } from '../database/statement.ts'
import { readDue } from './post/hold-queries.ts'
import { readDurably } from './read/read-durably.ts'
import { type SpendLimit, type SpendTerms, type Unit, UNITS, type WalletState } from './types.ts'
import { advance, giveBack, leftOf } from './post/decide-spend.ts'
import { findPeriod } from './post/find-period.ts'

export class SpendLimits {
  readonly #pool: pg.Pool
  readonly #requiresStandby: boolean

  constructor(pool: pg.Pool, requiresStandby: boolean) {
    this.#pool = pool
    this.#requiresStandby = requiresStandby
  }

  /** The limits of a wallet, as the next request would find them, by the ledger account of the client app. */
  async list({ id, hasSpendLimits }: WalletState): Promise<Map<number, SpendLimit>> {
    if (!hasSpendLimits) return new Map()
    return this.#listAt(id, await this.#readNow(this.#pool))
  }

  async #listAt(id: bigint, nowMs: number): Promise<Map<number, SpendLimit>> {
    const limits = await many(this.#pool, query.readSpendLimits([id]))
    const due = await many(this.#pool, readDue([id], nowMs))
    return new Map(
      limits.map((limit) => {
        const own = due.filter(({ account }) => account === limit.account)
        const now = own.reduce(
          (each, { remaining, createdAtMs }) => giveBack(each, remaining, createdAtMs),
          advance(limit, nowMs),
        )
        return [limit.account, now]
      }),
    )
  }

  /** How much of a balance the client app may take at once. */
  async readSpendable(wallet: WalletState, account: number, balance: bigint): Promise<bigint> {
    if (!wallet.hasSpendLimits) return balance
    const nowMs = await this.#readNow(this.#pool)
    const limit = (await this.#listAt(wallet.id, nowMs)).get(account)
    const left = limit && leftOf(limit, nowMs)
    return typeof left === 'bigint' && left < balance ? left : balance
  }

  /**
   * Sets the limit of a client app, or removes it (null). When this returns, no request that is decided later exceeds
   * it. What the app has taken in the current periods counts, also if it had no limit then. With a synchronous standby,
   * the limit has reached it. Without `mayRaise`, a change that lets the app take more changes nothing: the lock on the
   * wallet decides it, so that no other change comes in between.
   */
  set(
    walletId: bigint,
    account: number,
    terms: SpendTerms | null,
    { mayRaise }: { mayRaise: boolean } = { mayRaise: true },
  ): Promise<'set' | 'raised' | 'not_raised' | 'closed'> {
    return readDurably(this.#pool, this.#requiresStandby, async (tx) => {
      if ((await run(tx, query.lockOpenWallet(walletId))) === 0) return 'closed'
      const limits = await many(tx, query.readSpendLimits([walletId]))
      const known = limits.find((each) => each.account === account)
      const isRaise = known !== undefined && raises(known, terms)
      if (isRaise && !mayRaise) return 'not_raised'
      if (terms === null) await run(tx, query.deleteSpendLimit(walletId, account))
      else await this.#put(tx, walletId, account, terms, known)
      await run(tx, query.markSpendLimits(walletId))
      return isRaise ? 'raised' : 'set'
    })
  }

  async #put(
    tx: Database,
    walletId: bigint,
    account: number,
    terms: SpendTerms,
    known: SpendLimit | undefined,
  ) {
    const nowMs = await this.#readNow(tx)
    const { singleMax, endsAtMs, timeZone, max } = terms
    // Started in the previous time zone: a change applies to the next periods.
    const current = known
      ? advance(known, nowMs).periods
      : await countSpent(tx, nowMs, { walletId, account, timeZone })
    const periodOf = (unit: Unit) => ({ ...current[unit], max: max[unit] })
    const periods = { day: periodOf('day'), week: periodOf('week'), month: periodOf('month') }
    await run(
      tx,
      query.putSpendLimit({ walletId, account, singleMax, endsAtMs, timeZone, periods }),
    )
  }

  async #readNow(db: Database): Promise<number> {
    const nowMs = await one(db, query.READ_NOW)
    assert(nowMs !== undefined, 'the database has a clock')
    return nowMs
  }
}

/** Whether the app could take more. In another time zone, the next periods begin earlier or later. */
function raises(
  { singleMax, periods, endsAtMs, timeZone }: SpendLimit,
  terms: SpendTerms | null,
): boolean {
  if (terms === null || terms.timeZone !== timeZone) return true
  const isMore = <Max extends bigint | number>(from: Max | null, to: Max | null) =>
    from !== null && (to === null || to > from)
  return (
    isMore(singleMax, terms.singleMax) ||
    UNITS.some((unit) => isMore(periods[unit].max, terms.max[unit])) ||
    isMore(endsAtMs, terms.endsAtMs)
  )
}

/** The periods that contain this instant, with what the app has taken in them. */
export async function countSpent(
  db: Database,
  nowMs: number,
  { walletId, account, timeZone }: Pick<SpendLimit, 'walletId' | 'account' | 'timeZone'>,
) {
  const [day, week, month] = UNITS.map((unit) => findPeriod(unit, timeZone, nowMs))
  assert(day && week && month)
  const starts = { day: day.startsAtMs, week: week.startsAtMs, month: month.startsAtMs }
  const spent = await one(db, query.sumSpent(walletId, account, starts))
  assert(spent, 'a sum has a row')
  return {
    day: { ...day, spent: spent.day },
    week: { ...week, spent: spent.week },
    month: { ...month, spent: spent.month },
  }
}
