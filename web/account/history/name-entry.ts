/** The title of an entry. */
import type { Entry } from '../calls.ts'
import type { Messages } from '../messages-en.ts'

export function nameEntry(entry: Entry, { history }: Messages): string {
  const { source, type, description, referenceType } = entry
  if (source === 'hold' && type === 'credit') return history.names.release
  if (source !== 'this_app' && source !== 'other_app') return history.names[source]
  const own = description?.trim() || nameReferenceType(referenceType)
  return own || (type === 'credit' ? history.names.credit : history.names.app)
}

/** Reference types are written for programs: ORDER_PAYMENT is shown as "Order payment". Others are not changed. */
function nameReferenceType(label: string | null): string {
  if (!label || !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(label)) return label ?? ''
  return label.charAt(0) + label.slice(1).toLowerCase().replaceAll('_', ' ')
}
