/** Changes of refunds. R has a debit of 300 (operation 2) and refunds of 100 and 50 (operations 3 and 4). */
import type { Tampering } from './tamper.ts'

const FIRST = 'wallet_id = R and seq = 3'
const ROW = 'wallet_id = R and refunded = 150'
const WRONG = 'the refund does not match its debit or its total'

const NOT_FOUND = 'wallet R, operation 4: the refund is not in ledger.refunds'
const WALKS = 'it walks all new operations'

function changeRow(column: string, change: string, seq = 4): Tampering {
  return {
    name: `${column} of a refund in ledger.refunds`,
    column: `refunds.${column}`,
    change: `update ledger.refunds set ${column} = ${change} where ${ROW}`,
    fault: `wallet R, operation ${seq}: ${WRONG}`,
  }
}

export const REFUND_TAMPERINGS: Tampering[] = [
  {
    name: 'the target of a refund',
    column: 'operations.target',
    change: `update ledger.operations set target = gen_random_uuid() where ${FIRST}`,
    fault: 'wallet R, operation 3: the hash does not match the row',
  },
  {
    name: 'no target of a refund',
    change: `update ledger.operations set target = null where ${FIRST}`,
    fault: 'wallet R, operation 3: the hash does not match the row',
  },
  {
    name: 'the target of the key of a refund',
    column: 'operation_keys.target',
    change: `update ledger.operation_keys set target = gen_random_uuid() where ${FIRST}`,
    fault: 'wallet R, operation 3: the outcome in the key of its reference is different',
  },
  {
    name: 'how much the key of a refund leaves of the debit',
    column: 'operation_keys.refundable',
    change: `update ledger.operation_keys set refundable = refundable + 1 where ${FIRST}`,
    fault: `wallet R, operation 3: ${WRONG}`,
  },
  changeRow('refunded', 'refunded - 1'),
  changeRow('wallet_id', 'wallet_id + 1'),
  changeRow('debited', 'debited + 1'),
  { ...changeRow('debit', 'gen_random_uuid()'), incremental: [NOT_FOUND, WALKS] },
  // Its key is unknown, so its number is, too.
  { ...changeRow('refund', 'gen_random_uuid()', 0), incremental: [NOT_FOUND, WALKS] },
  {
    name: 'a refund is missing in ledger.refunds',
    change: `delete from ledger.refunds where ${ROW}`,
    fault: 'ledger.refunds: the number of rows is 2, but 3 is the number of refunds with a key',
    incremental: [NOT_FOUND, WALKS],
  },
]
