/** Every word of the widget. Each text says what happened and what to do next. */
import type { ErrorCode } from '@coffer/contract/errors'

function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

const errors: Partial<Record<ErrorCode, string>> = {
  LOGIN_FAILED: 'The e-mail or the password is wrong. Check both and try again.',
  LOGIN_REQUIRED: 'That took too long, so we logged you out. Log in again to continue.',
  CODE_INVALID: 'This code is wrong or too old. Check it, or ask for a new one.',
  EMAIL_TAKEN: 'There is an account with this e-mail already. Log in instead.',
  PASSWORD_REFUSED:
    'This password is too easy to guess. Choose one that is neither common nor part of your e-mail.',
  INVALID_REQUEST: 'Something in this form does not fit. Check what you entered and try again.',
  ORIGIN_NOT_ALLOWED: 'This page may not do that. Reload it and try again.',
  SERVICE_UNAVAILABLE: 'The wallet is busy and nothing was changed. Try again in a moment.',
  PAYLOAD_TOO_LARGE: 'That is too much text. Shorten what you entered and try again.',
  UNSUPPORTED_MEDIA_TYPE: 'Your browser sent this in a wrong form. Reload the page and try again.',
}

export const en = {
  lang: 'en',
  pageTitle: (app: string) => `Your wallet in ${app}`,
  testMode: 'Test mode. No real money moves.',
  loading: 'Your wallet is loading.',

  wallet: {
    greeting: (firstName: string) => `Hello, ${firstName}`,
    balance: 'Balance',
    balanceChanged: (balance: string) => `Your balance is now ${balance}.`,
    addMoney: 'Add money',
    topupAsked: (app: string) =>
      `${app} opens the top-up in a new window. If none appears, allow pop-ups and try again.`,
    activity: 'Recent activity',
    emptyTitle: 'Nothing here yet',
    empty: (app: string) => `Add money, and what you pay in ${app} will show up here.`,
    manageAccount: 'Manage account',
    opensWindow: '(opens a new window)',
    switchAccount: 'Not you? Switch account',
    switchAsked: (app: string) =>
      `${app} is switching the account. If nothing happens, reload its page.`,
    frozenTitle: 'This wallet is frozen.',
    frozen: 'Money can come in, but payments are paused. Contact support to have it reopened.',
    offline: 'You are offline. This is what we knew last; it updates when you are back.',
    stale: 'We could not update your wallet. This is what we knew last.',
    retry: 'Try again',
    received: 'Received',
    paid: 'Paid',
    sources: {
      this_app: 'Payment',
      other_app: 'Other app',
      topup: 'Top-up',
      bonus: 'Bonus',
      dispute: 'Dispute',
      correction: 'Correction',
    },
  },

  failed: {
    offlineTitle: 'You are offline',
    offline: 'We cannot reach your wallet. Check your connection, then try again.',
    title: 'Your wallet did not load',
    text: 'Something went wrong on our side. Your money is safe. Try again in a moment.',
    busy: 'Too many requests at once. We try again in a moment by ourselves.',
    endedTitle: 'Your session has ended',
    ended: (app: string) =>
      `To protect your wallet, it stays open for a few minutes only. Reload the page of ${app} to open it again.`,
  },

  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'E-mail',
    password: 'Password',
    newPassword: 'New password',
    code: 'Code',
    showPassword: 'Show password',
  },
  passwordHint: (min: number) => `At least ${min} characters.`,
  passwordMissing: (left: number) =>
    left === 1 ? '1 more character.' : `${left} more characters.`,
  passwordLongEnough: 'Long enough.',
  /** What is missing in a field, by its name. */
  faults: {
    firstName: 'Enter your first name.',
    lastName: 'Enter your last name.',
    email: 'Enter an e-mail address like name@example.com.',
    password: 'Enter your password.',
    code: 'Enter the 6 digits from the e-mail.',
  },
  /** What the service does not take, where it differs from what is missing. */
  refused: {
    firstName: 'Use at most 80 characters.',
    lastName: 'Use at most 80 characters.',
    password: 'Use at most 128 characters.',
  },
  passwordTooShort: (min: number) => `Use at least ${min} characters.`,

  logIn: {
    title: 'Log in to your wallet',
    lead: (app: string) => `Use it to pay in ${app}.`,
    submit: 'Log in',
    forgot: 'Forgot password?',
    other: 'No wallet yet?',
    signUp: 'Create an account',
    declined: (app: string) =>
      `You are not connected, and ${app} sees nothing of your wallet. Log in again if you change your mind.`,
  },
  signUp: {
    title: 'Create your wallet',
    lead: (app: string) => `It takes a minute, and you can pay in ${app}.`,
    submit: 'Create account',
    consent: (app: string) =>
      `By creating your account you allow ${app} to see your balance and charge your wallet.`,
    other: 'Have a wallet already?',
    logIn: 'Log in',
  },
  consent: {
    title: (app: string) => `${app} would like to connect to your wallet`,
    lead: (firstName: string) => `Hello, ${firstName}. If you agree, it will be able to:`,
    leadNameless: 'If you agree, it will be able to:',
    canSee: 'See your balance',
    canCharge: 'Charge your wallet',
    cannot:
      'It will not see what you do in other apps: of those entries it gets the amount and the time, nothing else.',
    undo: 'You can disconnect it at any time in your account.',
    agree: 'Agree',
    notNow: 'Not now',
  },
  verify: {
    title: 'Check your e-mail',
    lead: 'We sent a message with a 6-digit code to',
    submit: 'Confirm',
    resend: 'Send a new code',
    resent: 'We sent a new code. Older ones do not work any more.',
    spam: 'It can take a minute. Look into the spam folder too.',
    back: 'Back to log-in',
  },
  forgot: {
    title: 'Reset your password',
    lead: 'Enter the e-mail of your account. We send you a code.',
    submit: 'Send code',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'If there is an account, we sent a 6-digit code to',
    submit: 'Save and log in',
  },
  linked: {
    title: 'You are connected',
    text: (app: string) => `${app} is loading your wallet …`,
    hint: (app: string) =>
      `If nothing happens, reload the page of ${app}. Your connection is saved.`,
  },

  errors,
  offline: 'No answer came. Check your connection and try again.',
  unforeseen: 'Something went wrong on our side. Try again in a moment.',
  rateLimited: (seconds: number) => `Too many attempts. Try again in ${countSeconds(seconds)}.`,
}

export type Messages = typeof en
