/** Lists holds, and handles those whose time is over. */
import type pg from 'pg'
import { many, one } from '../../database/statement.ts'
import type { Hold, LedgerRequest, Outcome, WalletState } from '../types.ts'
import { toExpiry } from './decide-hold.ts'
import {
  findDueWallets,
  listOpenHolds,
  readHolds,
  searchHolds,
  sumDue,
  type HoldSearch,
} from './hold-queries.ts'

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

  /** Books holds whose time is over, on wallets that nobody uses. Returns on how many wallets. */
  async expire(most: number): Promise<number> {
    const due = await many(this.#pool, findDueWallets(most))
    await Promise.all(due.map((hold) => this.#post(toExpiry(hold))))
    return due.length
  }
}
