/** The messages for errors that the forms share. The wallet itself does not load them. */
import type { ErrorCode } from '@coffer/contract/errors'

export const sharedErrorsEn: Partial<Record<ErrorCode, string>> = {
  LOGIN_FAILED: 'The email or password is wrong. Check both and try again.',
  CODE_INVALID: 'This code is wrong or has expired. Check it, or request a new one.',
  PASSWORD_REFUSED:
    'This password is too easy to guess. Choose a longer one that is not commonly used and does not contain the part of your email address before the @.',
  INVALID_REQUEST: 'Something in this form is not valid. Check your entries and try again.',
  ORIGIN_NOT_ALLOWED: 'This page is not allowed to do that. Reload it and try again.',
  PAYLOAD_TOO_LARGE: 'Your text is too long. Shorten it and try again.',
}
