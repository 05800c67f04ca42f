/** All texts of the widget. Each one says what happened and what to do next. */
import type { ErrorCode } from '@coffer/contract/errors'
import { sharedEn, sharedErrorsEn } from '../ui/messages-en.ts'

const errors: Partial<Record<ErrorCode, string>> = {
  ...sharedErrorsEn,
  LOGIN_REQUIRED: 'Your login has expired. Log in again to continue.',
  EMAIL_TAKEN: 'An account with this email already exists.',
  SERVICE_UNAVAILABLE: 'The wallet is busy. Nothing was changed. Try again in a moment.',
  UNSUPPORTED_MEDIA_TYPE: 'Your browser sent an invalid request. Reload the page and try again.',
}

export const en = {
  ...sharedEn,
  pageTitle: (app: string) => `Your wallet in ${app}`,
  loading: 'Your wallet is loading.',
  provider: (service: string) => `Wallet by ${service}`,
  help: 'Help',

  wallet: {
    greeting: (firstName: string) => `Hello, ${firstName}`,
    balance: 'Balance',
    balanceChanged: (balance: string) => `Your balance is now ${balance}.`,
    addMoney: 'Add money',
    topupAsked: (app: string) =>
      `${app} opens the top-up in a new window. If it does not open, allow pop-ups and try again.`,
    activity: 'Recent activity',
    emptyTitle: 'No transactions yet',
    empty: (app: string) => `Add money. Your payments in ${app} will appear here.`,
    manageAccount: 'Manage account',
    opensWindow: '(opens a new window)',
    switchAccount: 'Not you? Switch account',
    switchQuestion: (app: string) =>
      `You log out of this wallet in ${app}, then log in with another account. You keep your money.`,
    switchConfirm: 'Switch account',
    switchCancel: 'Cancel',
    switchAsked: (app: string) =>
      `${app} is switching accounts. If nothing happens, reload the page.`,
    frozenTitle: 'This wallet is frozen.',
    frozen: sharedEn.frozen,
    offline: 'You are offline. This balance may be out of date until you are back online.',
    stale: 'We could not update your wallet. This balance may be out of date.',
    retry: 'Try again',
    received: 'Received',
    paid: 'Paid',
    released: 'Released',
    sources: {
      this_app: 'Payment',
      other_app: 'Other app',
      topup: 'Top-up',
      bonus: 'Bonus',
      dispute: 'Dispute',
      correction: 'Correction',
      hold: 'Reserved',
    },
  },

  failed: {
    offlineTitle: 'You are offline',
    offline: 'We cannot reach your wallet. Check your connection and try again.',
    title: 'Your wallet did not load',
    text: sharedEn.failedText,
    busy: 'Too many requests at once. We will try again automatically in a moment.',
    endedTitle: 'Your session has ended',
    ended: (app: string) =>
      `To protect your wallet, sessions last only a few minutes. Reload the ${app} page to open it again.`,
  },

  logIn: {
    title: 'Log in to your wallet',
    lead: (app: string) => `Pay with it at ${app}.`,
    submit: 'Log in',
    forgot: 'Forgot password?',
    other: 'No wallet yet?',
    signUp: 'Create an account',
    switched: (app: string) =>
      `You are logged out of your wallet in ${app}. Log in with another account.`,
    declined: (app: string) =>
      `You are not connected. ${app} cannot see your wallet. Log in again if you change your mind.`,
  },
  signUp: {
    title: 'Create your wallet',
    lead: (app: string) => `It takes a minute. Then you can pay at ${app}.`,
    submit: 'Create account',
    consent: (app: string) => `By creating your account, you allow ${app} to:`,
    instead: 'Log in instead',
    other: 'Already have a wallet?',
    logIn: 'Log in',
  },
  consent: {
    title: (app: string) => `${app} would like to connect to your wallet`,
    lead: (firstName: string) => `Hello, ${firstName}. If you agree, it will be able to:`,
    leadNameless: 'If you agree, it will be able to:',
    canSee: 'See your balance',
    canCharge: 'Charge your wallet without asking each time',
    cannot: 'It cannot see what you do in other apps, only the amount and the time.',
    undo: 'You can disconnect it at any time in your account.',
    agree: 'Agree',
    notNow: 'Not now',
  },
  verify: {
    title: 'Check your email',
    lead: 'We sent a 6-digit code to',
    submit: 'Confirm',
  },
  linked: {
    title: 'You are connected',
    text: (app: string) => `${app} is loading your wallet …`,
    hint: (app: string) => `If nothing happens, reload the ${app} page. Your connection is saved.`,
  },

  errors,
}

export type Messages = typeof en
