/** The messages that the widget and the account page share. */

export function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

export const sharedEn = {
  lang: 'en',
  testMode: 'Test mode. No real money moves.',
  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    password: 'Password',
    newPassword: 'New password',
    code: 'Code',
    showPassword: 'Show password',
  },
  passwordHint: (min: number) => `At least ${min} characters.`,
  passwordMissing: (left: number) =>
    left === 1 ? '1 more character.' : `${left} more characters.`,
  passwordLongEnough: 'Long enough.',
  passwordTooShort: (min: number) => `Use at least ${min} characters.`,
  /** For an empty field, by its name. */
  fieldErrors: {
    firstName: 'Enter your first name.',
    lastName: 'Enter your last name.',
    email: 'Enter an email address like name@example.com.',
    password: 'Enter your password.',
    code: 'Enter the 6 digits from the email.',
  },
  /** For a value that the server rejects, where the message differs from the one for an empty field. */
  refused: {
    firstName: 'Use at most 80 characters.',
    lastName: 'Use at most 80 characters.',
    password: 'Use at most 128 characters.',
  },
  forgot: {
    title: 'Reset your password',
    lead: 'Enter the email of your account. We will send you a link.',
    submit: 'Send link',
  },
  linkSent: 'If this account exists, we sent you a link. Set a new password there, then log in.',
  resend: {
    submit: 'Send a new code',
    sent: 'We sent a new code. Older codes no longer work.',
    spam: 'It can take a minute. Check your spam folder too.',
  },
  backToLogIn: 'Back to login',
  frozen: 'Payments and top-ups are blocked. Incoming money is still credited.',
  contactSupport: 'Contact support.',
  contactSupportAt: 'Contact support:',
  failedText: 'Something went wrong on our side. Your money is safe. Try again in a moment.',
  offline: 'No response. Check your connection and try again.',
  unexpected: 'Something went wrong on our side. Try again in a moment.',
  rateLimited: (seconds: number) => `Too many attempts. Try again in ${countSeconds(seconds)}.`,
}

export type SharedMessages = typeof sharedEn
