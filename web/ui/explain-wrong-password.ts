import { explainRefusal, type RefusalMessages } from './explain-refusal.ts'
import type { NoResponse, Refusal } from './request.ts'
import type { Explanation } from './use-form.ts'

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
