import type { Refusal, NoResponse } from '../../ui/request.ts'
import type { Explanation } from '../../ui/use-form.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { words } from '../messages.ts'

/** Whether the operation may have been executed anyway. */
export function isUnknown(result: Refusal | NoResponse): boolean {
  return result.offline || result.status >= 500
}

export function explainGrant(result: Refusal | NoResponse): Explanation {
  if (result.offline || isUnknown(result)) return { faults: { form: words.grant.unknown } }
  if (result.code === 'INVALID_AMOUNT') return { faults: { amount: words.errors.INVALID_AMOUNT } }
  if (result.code === 'INVALID_REQUEST' && result.field === 'id') {
    return { faults: { form: words.grant.givenBack } }
  }
  const refused: Partial<Record<string, string>> = words.grant.refused
  const text = result.code && refused[result.code]
  return text ? { faults: { form: text } } : explainRefusal(result)
}
