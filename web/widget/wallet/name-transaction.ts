/** The title of an entry. */
import type { Transaction } from '@coffer/contract/shapes'
import type { Messages } from '../messages-en.ts'

export function nameTransaction(transaction: Transaction, messages: Messages): string {
  const { type, source, description, referenceType } = transaction
  const { sources, released } = messages.wallet
  const own = description?.trim()
  const name = source === 'hold' && type === 'credit' ? released : sources[source]
  if (source === 'this_app') return own || nameReferenceType(referenceType) || name
  return source === 'hold' && own ? `${name}: ${own}` : name
}

/** Reference types are written for programs: ORDER_PAYMENT is shown as "Order payment". Others are not changed. */
function nameReferenceType(label: string | null): string | null {
  if (!label || /^[^A-Z]|[^A-Z0-9_]/.test(label)) return label
  return label.slice(0, 1) + label.slice(1).toLowerCase().replaceAll('_', ' ')
}
