/** The statement that verifies spending limits: they are in force, and count at least what the operations have taken. */
import type { Statement } from '../../database/statement.ts'
import { movedSince } from './spend-queries.ts'
import { UNITS } from './types.ts'

interface WrongLimit {
  walletId: bigint
  account: bigint
  isInForce: boolean
}

interface WrongLimitRow {
  wallet_id: bigint
  account: bigint
  has_spend_limits: boolean
}

const SINCE = `least(${UNITS.map((unit) => `l.${unit}_starts_at`).join()})`
const SUMS = UNITS.map(
  (unit) => `coalesce(sum(net) filter (where taken_at >= l.${unit}_starts_at), 0) as ${unit}`,
)
const IS_FORGOTTEN = UNITS.map((unit) => `l.${unit}_spent < s.${unit}`).join(' or ')

/** Of some wallets, the counters of those with more operations are not checked, so that the statement is short. */
const OPERATIONS_MAX = 5_000

/** A counter may be higher than the operations: a clock that was set back continues a period. */
export function findWrongLimit(walletIds: readonly bigint[] | undefined): Statement<WrongLimit> {
  const all = movedSince('l.wallet_id', 'l.account', SINCE)
  const moved = walletIds ? `${all} and w.seq <= ${OPERATIONS_MAX}` : all
  return {
    text: `select l.wallet_id, l.account, w.has_spend_limits
      from ledger.spend_limits l
      join ledger.wallets w on w.id = l.wallet_id
      cross join lateral (
        select ${SUMS.join()} from (${moved}) moved
      ) s
      where (not w.has_spend_limits or ${IS_FORGOTTEN})
        ${walletIds ? 'and l.wallet_id = any($1::bigint[])' : ''}
      order by l.wallet_id, l.account limit 1`,
    values: walletIds ? [walletIds] : [],
    read: (row: WrongLimitRow) => ({
      walletId: row.wallet_id,
      account: row.account,
      isInForce: row.has_spend_limits,
    }),
  }
}
