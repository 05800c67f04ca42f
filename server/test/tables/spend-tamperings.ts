/** Changes of spending limits. S has a limit for account P, which has taken 350 and returned 100. */
import type { Tampering } from './tamper.ts'

const FORGOTTEN =
  'wallet S, spending limit of account P: it counts less than the operations have taken'

function forget(column: string): Tampering {
  return {
    name: `${column} of a spending limit`,
    column: `spend_limits.${column}`,
    change: `update ledger.spend_limits set ${column} = 249 where wallet_id = S`,
    fault: FORGOTTEN,
  }
}

export const SPEND_TAMPERINGS: readonly Tampering[] = [
  forget('day_spent'),
  forget('week_spent'),
  forget('month_spent'),
  {
    name: 'a wallet with a spending limit is marked as having none',
    column: 'wallets.has_spend_limits',
    change: 'update ledger.wallets set has_spend_limits = false where id = S',
    fault: 'wallet S: it has a spending limit, but is marked as having none',
  },
]
