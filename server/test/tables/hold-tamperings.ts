/**
 * Changes of holds. H has a hold of 100 (operation 2), of which 30 are captured (operation 3), and a hold of 40
 * (operation 4) that is released (operation 5).
 */
import type { Tampering } from './tamper.ts'

const OPEN = 'wallet_id = H and amount = 100'
const RELEASED = 'wallet_id = H and amount = 40'
const CAPTURE = 'wallet_id = H and remaining = 70'

const wrong = (seq: number) =>
  `wallet H, operation ${seq}: the hold does not match its key or its changes`
const missing = (seq: number, kind: string) =>
  `wallet H, operation ${seq}: the ${kind} is not in the table of holds`

function changeHold(column: string, change: string, fault = wrong(2), where = OPEN): Tampering {
  return {
    name: `${column} of a hold in ledger.holds`,
    column: `holds.${column}`,
    change: `update ledger.holds set ${column} = ${change} where ${where}`,
    fault,
  }
}

function changeChange(column: string, change: string, fault = wrong(2)): Tampering {
  return {
    name: `${column} of a capture in ledger.hold_changes`,
    column: `hold_changes.${column}`,
    change: `update ledger.hold_changes set ${column} = ${change} where ${CAPTURE}`,
    fault,
  }
}

function changeKey(column: string, change: string, seq: number, fault: string): Tampering {
  return {
    name: `${column} of the key of operation ${seq} of a wallet with holds`,
    column: `operation_keys.${column}`,
    change: `update ledger.operation_keys set ${column} = ${change} where wallet_id = H and seq = ${seq}`,
    fault,
  }
}

export const HOLD_TAMPERINGS: Tampering[] = [
  {
    name: 'more is held',
    column: 'wallets.held',
    change: 'update ledger.wallets set held = held + 1 where id = H',
    fault: 'wallet H: 71 is held, its operations add up to 70',
  },
  {
    name: 'the next expiry is later',
    column: 'wallets.next_expiry',
    change: `update ledger.wallets set next_expiry = next_expiry + interval '1 s' where id = H`,
    fault: 'wallet H: the next expiry is not that of its open holds',
  },
  changeHold('amount', 'amount + 1'),
  changeHold('captured', 'captured - 1'),
  changeHold('remaining', 'remaining - 1', 'wallet H: 70 is held, its open holds add up to 69'),
  changeHold('wallet_id', 'wallet_id + 1', 'wallet H: 70 is held, its open holds add up to 0'),
  changeHold('account', 'account + 1'),
  changeHold('created_at', `created_at + interval '1 ms'`),
  changeHold(
    'expires_at',
    `expires_at + interval '1 s'`,
    'wallet H: the next expiry is not that of its open holds',
  ),
  changeHold('reference_type', `'OTHER'`),
  changeHold('reference_id', `'other'`),
  changeHold('closed_by', `'capture'`, wrong(4), RELEASED),
  changeHold('digest', 'gen_random_uuid()', missing(2, 'hold')),
  changeChange('remaining', 'remaining + 1'),
  changeChange('wallet_id', 'wallet_id + 1'),
  changeChange('hold', 'gen_random_uuid()'),
  changeChange('change', 'gen_random_uuid()', missing(3, 'capture')),
  changeKey('held_after', 'held_after + 1', 3, wrong(2)),
  changeKey('released', 'released - 1', 5, wrong(4)),
  changeKey('expires_at', `expires_at + interval '1 s'`, 2, wrong(2)),
  changeKey('is_final', 'true', 3, wrong(2)),
  {
    name: 'a capture is missing in ledger.hold_changes',
    change: `delete from ledger.hold_changes where ${CAPTURE}`,
    fault: missing(3, 'capture'),
  },
  {
    name: 'a change of a hold that does not exist',
    change: `insert into ledger.hold_changes (hold, remaining, change, wallet_id)
      values (gen_random_uuid(), 0, gen_random_uuid(), H)`,
    fault: wrong(0),
  },
  {
    name: 'a released hold is missing, with its changes',
    change: `with gone as (delete from ledger.holds where ${RELEASED} returning digest)
      delete from ledger.hold_changes where hold in (select digest from gone)`,
    fault: missing(4, 'hold'),
  },
]
