/** The words for whatever a call did not do, and the field they belong to. */
import type { ErrorCode } from '@coffer/contract/errors'
import type { Refusal, Unanswered } from '../ui/request.ts'
import type { Explanation } from '../ui/use-form.ts'
import type { Messages } from './messages-en.ts'

const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  CODE_INVALID: 'code',
  EMAIL_TAKEN: 'email',
}

interface FormFields {
  /** Those of the form that was sent: a text about another one belongs to the form. */
  fields?: readonly string[]
  /** The field that a PASSWORD_REFUSED is about. */
  newPassword?: string
  /** The person is known, so LOGIN_FAILED can only mean the password. */
  isKnown?: boolean
}

export function explainRefusal(
  result: Refusal | Unanswered,
  words: Messages,
  { fields = [], newPassword = 'password', isKnown = false }: FormFields = {},
): Explanation {
  if (result.offline) return { faults: { form: words.offline } }
  const { code, field, status, retryAfterSeconds } = result
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds ?? 1))
    return { faults: { form: words.rateLimited(seconds) }, forgetAfterSeconds: seconds }
  }
  if (code === 'LOGIN_FAILED' && isKnown) return { faults: { password: words.passwordWrong } }
  if (code === 'INVALID_REQUEST' && field !== undefined && fields.includes(field)) {
    return { faults: { [field]: faultOf(field, words) } }
  }
  const text = (code && words.errors[code]) ?? (status < 500 && result.text) ?? ''
  const place = code === 'PASSWORD_REFUSED' ? newPassword : ((code && FIELD_OF[code]) ?? 'form')
  return { faults: { [fields.includes(place) ? place : 'form']: text || words.unforeseen } }
}

function faultOf(field: string, words: Messages): string {
  const faults: Record<string, string> = { ...words.faults, ...words.refused }
  return faults[field] ?? words.unforeseen
}
