/** The messages for a call that was refused or got no response, and the field they belong to. */
import type { ErrorCode } from '@coffer/contract/errors'
import type { NoResponse, Refusal } from './request.ts'
import type { Explanation } from './use-form.ts'

export interface RefusalMessages {
  errors: Partial<Record<ErrorCode, string>>
  /** For an empty field, by its name. */
  fieldErrors: Partial<Record<string, string>>
  /** For a value that the server rejects, by the field's name. */
  refused: Partial<Record<string, string>>
  offline: string
  unexpected: string
  rateLimited: (seconds: number) => string
}

/** The fields that a code can be about; the first one that the form has shows the message. */
const FIELDS_OF: Partial<Record<ErrorCode, string[]>> = {
  CODE_INVALID: ['code'],
  EMAIL_TAKEN: ['email'],
  PASSWORD_REFUSED: ['newPassword', 'password'],
  INVALID_AMOUNT: ['creditLimit'],
}

/** `fields` are the fields of the form that was sent. A message about another field is shown for the whole form. */
export function explainRefusal(
  result: Refusal | NoResponse,
  messages: RefusalMessages,
  fields: readonly string[] = [],
): Explanation {
  if (result.offline) return { errors: { form: messages.offline } }
  const { code, status, retryAfterSeconds } = result
  if (status === 429) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds ?? 1))
    return { errors: { form: messages.rateLimited(seconds) }, clearAfterSeconds: seconds }
  }
  const known = code && messages.errors[code]
  const field = result.field?.split('.')[0] ?? ''
  if (code === 'INVALID_REQUEST' && fields.includes(field)) {
    const text = messages.refused[field] ?? messages.fieldErrors[field] ?? known
    return { errors: { [field]: text ?? messages.unexpected } }
  }
  const text = known ?? (status < 500 && result.text)
  const place = code && FIELDS_OF[code]?.find((name) => fields.includes(name))
  return { errors: { [place ?? 'form']: text || messages.unexpected } }
}

/** For a button without a form. */
export function explainAsText(result: Refusal | NoResponse, messages: RefusalMessages): string {
  return Object.values(explainRefusal(result, messages).errors).join(' ')
}

/** For a form of somebody who is logged in: LOGIN_FAILED can only mean that the password is wrong. */
export function explainWrongPassword(
  result: Refusal | NoResponse,
  messages: RefusalMessages & { passwordWrong: string },
  fields: readonly string[],
): Explanation {
  const isWrong = !result.offline && result.code === 'LOGIN_FAILED'
  if (isWrong) return { errors: { password: messages.passwordWrong } }
  return explainRefusal(result, messages, fields)
}
