/** The title of an entry. */
import type { Transaction } from '@coffer/contract/shapes'
import type { Messages } from '../messages-en.ts'

export function nameTransaction(transaction: Transaction, words: Messages): string {
  const { source, description, referenceType } = transaction
  const own = source === 'this_app' ? description?.trim() || toWords(referenceType) : ''
  return own || words.wallet.sources[source]
}

/** Reference types are written for programs: ORDER_PAYMENT is shown as "Order payment". Other texts stay as they are. */
function toWords(label: string | null): string {
  if (!label || !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(label)) return label ?? ''
  return label.charAt(0) + label.slice(1).toLowerCase().replaceAll('_', ' ')
}
