/**
 * The checks of keys, refunds and holds, in pages, and of spending limits. Each throws a Fault at the first bad row.
 */
import type pg from 'pg'
import { type Database, one } from '../../database/statement.ts'
import { Fault, nameOf } from './check-chain.ts'
import { checkHoldPage, checkKeyPage, checkRefundPage, findWrongLimit } from './verify-queries.ts'

const PAGE = 2_000
/** No key, hold or debit has a lower one. */
export const LOWEST_DIGEST = '00000000-0000-0000-0000-000000000000'
export const BEFORE_REFUNDS = { debit: LOWEST_DIGEST, refunded: 0n }

/** Checks that the next keys have their operations. Returns where to continue. */
export async function checkKeys(
  client: Database,
  after = LOWEST_DIGEST,
): Promise<string | undefined> {
  const page = await one(client, checkKeyPage(after, PAGE))
  if (page?.orphan) {
    throw new Fault(`${nameOf(page.orphan)}: the row is missing, its key is still there`)
  }
  return page?.last
}

/** Checks the next refunds. Returns where to continue, and how many it checked. */
export async function checkRefunds(client: Database, after = BEFORE_REFUNDS) {
  const page = await one(client, checkRefundPage(after, PAGE))
  if (page?.wrong) {
    throw new Fault(`${nameOf(page.wrong)}: the refund does not match its debit or its total`)
  }
  return { last: page?.last, count: page?.count ?? 0 }
}

/** Checks the next holds with their changes. Returns where to continue, and how many it checked. */
export async function checkHolds(client: Database, after = LOWEST_DIGEST) {
  const page = await one(client, checkHoldPage(after, PAGE))
  if (page?.wrong) {
    throw new Fault(`${nameOf(page.wrong)}: the hold does not match its key or its changes`)
  }
  return { last: page?.last, count: page?.count ?? 0, changes: page?.changes ?? 0 }
}

/** Checks the spending limits of these wallets, or of all. */
export async function checkSpends(
  client: pg.ClientBase,
  walletIds?: readonly bigint[],
): Promise<void> {
  const wrong = await one(client, findWrongLimit(walletIds))
  if (wrong === undefined) return
  const { walletId, account, isInForce } = wrong
  throw new Fault(
    isInForce
      ? `wallet ${walletId}, spending limit of account ${account}: it counts less than the operations have taken`
      : `wallet ${walletId}: it has a spending limit, but is marked as having none`,
  )
}
