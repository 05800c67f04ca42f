/** Changes of refunds. R has a debit of 300 (operation 2) and refunds of 100 and 50 (operations 3 and 4). */
import type { Tampering } from './tamper.ts'

const FIRST = 'wallet_id = R and seq = 3'
const ROW = 'wallet_id = R and refunded = 150'
const WRONG = 'the refund does not match its debit or its total'

const NOT_FOUND = 'wallet R, operation 4: the refund is not in ledger.refunds'

function changeRow(
  column: string,
  change: string,
  fault = `wallet R, operation 4: ${WRONG}`,
): Tampering {
  return {
    name: `${column} of a refund in ledger.refunds`,
    column: `refunds.${column}`,
    change: `update ledger.refunds set ${column} = ${change} where ${ROW}`,
    fault,
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
  changeRow('debit', 'gen_random_uuid()', NOT_FOUND),
  changeRow('refund', 'gen_random_uuid()', NOT_FOUND),
  {
    name: 'a refund is missing in ledger.refunds',
    change: `delete from ledger.refunds where ${ROW}`,
    fault: NOT_FOUND,
  },
]
