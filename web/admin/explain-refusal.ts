/** `ui/explain-refusal.ts` with the messages of the admin area. Each one says what happened and what to do next. */
import type { ErrorCode } from '@coffer/contract/errors'
import { sharedErrorsEn } from '../ui/error-messages-en.ts'
import { explainAsText as asText, explainRefusal as explain } from '../ui/explain-refusal.ts'
import { countSeconds } from '../ui/messages-en.ts'
import type { NoResponse, Refusal } from '../ui/request.ts'
import type { Explanation } from '../ui/use-form.ts'

const errors: Partial<Record<ErrorCode, string>> = {
  ...sharedErrorsEn,
  PASSKEY_INVALID:
    'This passkey was not accepted: it timed out or was removed. Try again, or log in another way.',
  PASSKEY_LIMIT: 'You have reached the maximum number of passkeys. Remove one first.',
  PASSWORD_REFUSED:
    'This password is too easy to guess, contains the part of your email address before the @, or is your current password. Choose a longer one that is different.',
  CODE_INVALID: 'This code is wrong, has expired or was already used. Wait for the next one.',
  EMAIL_TAKEN: 'An operator with this email already exists. Use a different one.',
  INVALID_AMOUNT:
    'Enter an amount like 1000 or 1000.50, with no more decimals than the currency has.',
  OPERATOR_FORBIDDEN:
    'Nothing was changed. Your role does not allow this, or the service would have no owner left.',
  CONFIRMATION_REQUIRED: 'Nothing was changed because you did not confirm your identity.',
  NOT_FOUND: 'This no longer exists. Reload the page.',
  SERVICE_UNAVAILABLE:
    'The service is busy or writes are paused. Nothing was changed. Try again in a moment.',
}

export const errorMessages = {
  errors,
  /** For an empty field, by its name. */
  fieldErrors: {
    name: 'Enter a name.',
    email: 'Enter an email address like name@example.com.',
    password: 'Enter your password.',
    code: 'Enter the 6 digits, or a recovery code.',
    appName: 'Enter a name. People see it when they connect their wallet.',
    accentColor: 'Enter a color like #0a7c66, or leave it empty.',
    creditLimit: 'Enter an amount like 1000 or 1000.50.',
  },
  /** For a value that the server rejects, by the field's name. */
  refused: {
    name: 'Use at most 80 characters, without line breaks.',
    email: 'This email address is not valid. Check it.',
    password: 'Use at most 128 characters.',
    newPassword: 'Use at most 128 characters.',
    code: 'Enter the 6 digits, or a recovery code.',
    allowedOrigins: 'One of these origins is not valid. Check the spelling.',
    allowedIframeParents: 'One of these origins is not valid. Check the spelling.',
  },
  passwordWrong: 'This is not your password. Check it and try again.',
  offline: 'No response from the service. Check your connection and try again.',
  unexpected: 'Something went wrong on our side. Try again in a moment.',
  rateLimited: (seconds: number) => `Too many attempts. Try again in ${countSeconds(seconds)}.`,
}

export function explainRefusal(
  result: Refusal | NoResponse,
  fields: readonly string[] = [],
): Explanation {
  return explain(result, errorMessages, fields)
}

/** For a button without a form. */
export function explainAsText(result: Refusal | NoResponse): string {
  return asText(result, errorMessages)
}
