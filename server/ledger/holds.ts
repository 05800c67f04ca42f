/** Lists holds, and handles those whose time is over. */
import * as query from './post/hold-queries.ts'
import type pg from 'pg'
import { type Database, many, one, run } from '../database/statement.ts'
import type { Hold, LedgerRequest, Outcome, WalletState } from './types.ts'
import { toExpiry } from './post/decide-hold.ts'
import {
  findDueWallets,
  type HoldSearch,
  listOpenHolds,
  readHolds,
  searchHolds,
  sumDue,
} from './post/hold-queries.ts'

/** More than the clocks of the service and the database differ. */
const CLOCK_DIFFERENCE_MS = 60_000

export class Holds {
  readonly #pool: pg.Pool
  readonly #searchPool: pg.Pool
  readonly #post: (request: LedgerRequest) => Promise<Outcome>

  constructor(
    pool: pg.Pool,
    searchPool: pg.Pool,
    post: (request: LedgerRequest) => Promise<Outcome>,
  ) {
    this.#pool = pool
    this.#searchPool = searchPool
    this.#post = post
  }

  /** The balance as the next request would find it: with the money of holds whose time is over. */
  async readSpendable({ id, balance, debt, nextExpiryMs }: WalletState): Promise<bigint> {
    // The clock of the database decides; this one only saves a query.
    if (nextExpiryMs === null || nextExpiryMs > Date.now() + CLOCK_DIFFERENCE_MS) return balance
    const due = (await one(this.#pool, sumDue(id))) ?? 0n
    return balance + (due > debt ? due - debt : 0n)
  }

  async find(digest: string): Promise<Hold | undefined> {
    return one(this.#pool, readHolds([digest]))
  }

  /** The open holds of a wallet, newest first. */
  listOpen(walletId: bigint, limit: number): Promise<Hold[]> {
    return many(this.#searchPool, listOpenHolds(walletId, limit))
  }

  /** The holds of a client app, newest first. */
  list(search: HoldSearch): Promise<Hold[]> {
    return many(this.#searchPool, searchHolds(search))
  }

  /** Posts the expiries that are due on wallets without other requests. Returns the number of wallets. */
  async expire(most: number): Promise<number> {
    const due = await many(this.#pool, findDueWallets(most))
    await Promise.all(due.map((hold) => this.#post(toExpiry(hold))))
    return due.length
  }
}

/**
 * Captures of a suspended hold wait for an operator. It can still be released and still expires: both return the money
 * to the person.
 */
/** Run this in a transaction. Once it is committed, no capture of these holds succeeds. */
export async function suspendHolds(tx: Database, walletId: bigint, days: number): Promise<void> {
  await run(tx, query.lockWallet(walletId))
  await run(tx, query.suspendHolds(walletId, days))
}

/** Returns false if the wallet has no such open hold, or if it is not suspended. */
export async function allowHold(tx: Database, walletId: bigint, digest: string): Promise<boolean> {
  return (await run(tx, query.allowHold(walletId, digest))) === 1
}
