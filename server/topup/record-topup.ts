import { inTransaction } from '../database/in-transaction.ts'
import { one, run, type Database } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { findFailureWait } from './failure-queries.ts'
import { findDayWait, findPayer, findWait, insertTopup, lockUser, type Topup } from './queries.ts'
import { FAILURES_MAX } from './stop-card-testing.ts'
import type { Payer, TopupTools } from './topup-tools.ts'

export type WantedTopup = Pick<Topup, 'amountMinor' | 'saved' | 'isAutomatic'>

export function callerOf({ userId, clientApp }: Payer) {
  return { userId, clientAppId: clientApp?.id ?? null }
}

/**
 * Stores a top-up if the limits of the person allow it. Top-ups of one person are stored one after another, and
 * `choose` runs in the same order.
 */
export function recordTopup(
  { db, config }: Pick<TopupTools, 'db' | 'config'>,
  payer: Payer,
  choose: (tx: Database) => Promise<WantedTopup>,
): Promise<Topup> {
  const { walletId } = payer
  const { userId, clientAppId } = callerOf(payer)
  return inTransaction(db, async (tx) => {
    await run(tx, lockUser(userId))
    // The account was deleted after the login was checked. In a client app, the end of the link prevents this.
    const isDeleted = payer.clientApp === null && (await run(tx, findPayer(userId))) === 0
    if (isDeleted) throw new ServiceError('LOGIN_REQUIRED')
    const wanted = await choose(tx)
    const waitSeconds =
      (await one(tx, findWait(userId, clientAppId, config.topupsPerHour))) ??
      (await one(tx, findFailureWait(userId, FAILURES_MAX)))
    if (waitSeconds !== undefined) throw new ServiceError('RATE_LIMITED', undefined, waitSeconds)
    const dayMax = config.topupMaxPerDayMinor
    const limitSeconds = await one(tx, findDayWait(userId, wanted.amountMinor, dayMax))
    if (limitSeconds !== undefined) {
      throw new ServiceError('TOPUP_LIMIT_EXCEEDED', undefined, limitSeconds)
    }
    return (await one(tx, insertTopup({ userId, clientAppId, walletId, ...wanted }))) as Topup
  })
}
