/** The words for whatever a call did not do, and the field they belong to. */
import type { ErrorCode } from '@coffer/contract/errors'
import type { Refusal, Unanswered } from '../ui/request.ts'
import type { Explanation } from '../ui/use-form.ts'
import { words } from './messages.ts'

const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  CODE_INVALID: 'code',
  EMAIL_TAKEN: 'email',
  PASSWORD_REFUSED: 'newPassword',
  INVALID_AMOUNT: 'creditLimit',
}

/** `fields` are those of the form that was sent: a text about another one belongs to the form. */
export function explainRefusal(
  result: Refusal | Unanswered,
  fields: readonly string[] = [],
): Explanation {
  if (result.offline) return { faults: { form: words.offline } }
  const { code, status, retryAfterSeconds } = result
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds ?? 1))
    return { faults: { form: words.rateLimited(seconds) }, forgetAfterSeconds: seconds }
  }
  const field = result.field?.split('.')[0] ?? ''
  if (code === 'INVALID_REQUEST' && fields.includes(field)) {
    const refused: Record<string, string> = words.refused
    return { faults: { [field]: refused[field] ?? words.errors.INVALID_REQUEST ?? '' } }
  }
  const text = (code && words.errors[code]) ?? (status < 500 && result.text) ?? ''
  const place = (code && FIELD_OF[code]) ?? 'form'
  return { faults: { [fields.includes(place) ? place : 'form']: text || words.unforeseen } }
}

/** For a button that is no form. */
export function explainInOne(result: Refusal | Unanswered): string {
  return Object.values(explainRefusal(result).faults).join(' ')
}
