/** Every word of the account page. Each text says what happened and what to do next. */
import type { ErrorCode } from '@coffer/contract/errors'

function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

const errors: Partial<Record<ErrorCode, string>> = {
  LOGIN_FAILED: 'The e-mail or the password is wrong. Check both and try again.',
  CODE_INVALID: 'This code is wrong or too old. Check it, or ask for a new one.',
  EMAIL_TAKEN: 'There is another account with this e-mail. Use a different one.',
  PASSWORD_REFUSED:
    'This password is too easy to guess. Choose one that is neither common nor part of your e-mail.',
  INVALID_REQUEST: 'Something in this form does not fit. Check what you entered and try again.',
  ORIGIN_NOT_ALLOWED: 'This page may not do that. Reload it and try again.',
  SERVICE_UNAVAILABLE: 'The service is busy and nothing was changed. Try again in a moment.',
  ACCOUNT_NOT_EMPTY:
    'There is money or a debt on your account, so it was not deleted. Settle it first.',
  PAYLOAD_TOO_LARGE: 'That is too much text. Shorten what you entered and try again.',
}

export const en = {
  lang: 'en',
  brand: 'Wallet',
  pageTitle: (section: string) => `${section} · Your wallet`,
  testMode: 'Test mode. No real money moves.',
  loading: 'Loading …',
  retry: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved.',
  logOut: 'Log out',
  skip: 'Skip to content',
  nav: {
    label: 'Your account',
    overview: 'Overview',
    history: 'History',
    apps: 'Connected apps',
    appsShort: 'Apps',
    profile: 'Profile & security',
    profileShort: 'Profile',
  },

  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'E-mail',
    newEmail: 'New e-mail',
    password: 'Password',
    currentPassword: 'Current password',
    newPassword: 'New password',
    code: 'Code',
    showPassword: 'Show password',
  },
  passwordHint: (min: number) => `At least ${min} characters.`,
  passwordMissing: (left: number) =>
    left === 1 ? '1 more character.' : `${left} more characters.`,
  passwordLongEnough: 'Long enough.',
  passwordTooShort: (min: number) => `Use at least ${min} characters.`,
  passwordWrong: 'This is not your password. Check it and try again.',
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
    newPassword: 'Use at most 128 characters.',
  },

  logIn: {
    title: 'Log in to your account',
    lead: 'See your balance and history, and decide which apps may use your wallet.',
    submit: 'Log in',
    forgot: 'Forgot password?',
    noAccount: 'No account yet? You create one in any app that takes this wallet.',
    loggedOut: 'You are logged out.',
    expired: 'To protect your account, we logged you out. Log in again to continue.',
  },
  forgot: {
    title: 'Reset your password',
    lead: 'Enter the e-mail of your account. We send you a code.',
    submit: 'Send code',
    back: 'Back to log-in',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'If there is an account, we sent a 6-digit code to',
    submit: 'Save and log in',
    resend: 'Send a new code',
    resent: 'We sent a new code. Older ones do not work any more.',
    spam: 'It can take a minute. Look into the spam folder too.',
  },

  overview: {
    greeting: (firstName: string) => `Hello, ${firstName}`,
    balance: 'Balance',
    debtTitle: (debt: string) => `You owe ${debt}.`,
    debt: 'A card payment was taken back by your bank. Your next top-up pays this first.',
    frozenTitle: 'Your wallet is frozen.',
    frozen: 'Money can come in, but payments are paused. Contact support to have it reopened.',
    recent: 'Recent activity',
    all: 'See all',
    appsTitle: 'Connected apps',
    apps: (count: number) =>
      count === 1 ? '1 app can charge your wallet.' : `${count} apps can charge your wallet.`,
    noApps: 'No app can charge your wallet.',
    manage: 'Manage',
  },

  history: {
    title: 'History',
    search: 'Search',
    searchHint: 'Reference, description or app',
    filters: 'Filters',
    type: 'Direction',
    anyType: 'In and out',
    types: { debit: 'Money out', credit: 'Money in' },
    source: 'Source',
    anySource: 'All sources',
    sources: {
      app: 'Apps',
      topup: 'Top-ups',
      bonus: 'Bonuses',
      dispute: 'Disputes',
      correction: 'Corrections',
    },
    from: 'From',
    to: 'To',
    utc: 'Days begin at midnight UTC.',
    clear: 'Clear filters',
    download: 'Download CSV',
    more: 'Show more',
    emptyTitle: 'Nothing here yet',
    empty: 'Add money or pay in an app, and it will show up here.',
    noneTitle: 'Nothing fits',
    none: 'No entry fits what you are looking for. Try other words or fewer filters.',
    searchedPart: 'Nothing so far. There are older entries to look through.',
    failed: 'We could not load your history.',
    found: (count: number, hasMore: boolean) =>
      `${count}${hasMore ? ' or more' : ''} ${count === 1 ? 'entry' : 'entries'}`,
    received: 'Received',
    paid: 'Paid',
    details: {
      time: 'Time',
      app: 'App',
      description: 'Description',
      referenceType: 'Reference type',
      reference: 'Reference',
      balanceAfter: 'Balance after',
      id: 'Id',
    },
    names: {
      app: 'Payment',
      refund: 'Credit',
      topup: 'Top-up',
      bonus: 'Bonus',
      dispute: 'Dispute',
      correction: 'Correction',
    },
  },

  apps: {
    title: 'Connected apps',
    lead: 'These apps can see your balance and charge your wallet. What you do in one app stays hidden from the others.',
    since: (date: string) => `Connected ${date}`,
    unlink: 'Disconnect',
    unlinkNamed: (app: string) => `Disconnect ${app}`,
    emptyTitle: 'No connected apps',
    empty: 'When you log in to your wallet in an app, it appears here.',
    dialogTitle: (app: string) => `Disconnect ${app}?`,
    dialog: (app: string) =>
      `${app} can no longer see your balance or charge your wallet. Your money and your history stay with you.`,
    dialogAgain: 'If you connect it again, it will not recognise you as the same wallet.',
    unlinked: (app: string) => `${app} is disconnected.`,
  },

  profile: {
    title: 'Profile & security',
    name: 'Name',
    nameHint: 'Apps that you connect see it in their wallet.',
    email: 'E-mail',
    emailHint: 'You log in with it, and we write to it when your account changes.',
    emailNow: (email: string) => `Your e-mail is ${email}.`,
    emailSubmit: 'Change e-mail',
    emailSent: 'We sent a 6-digit code to',
    emailSpam: 'It can take a minute. If nothing comes, check the address and start again.',
    emailConfirm: 'Confirm',
    emailAgain: 'Start again',
    emailChanged: (email: string) => `Your e-mail is now ${email}.`,
    password: 'Password',
    passwordHint: 'A new password logs you out on all other devices.',
    passwordSubmit: 'Change password',
    passwordChanged: 'Your password is changed. You are logged out everywhere else.',
    logIns: 'Devices',
    logInsHint:
      'Where you are logged in now. End what you do not recognise, then change your password.',
    thisDevice: 'This device',
    lastSeen: (date: string) => `Last active: ${date}`,
    end: 'Log out',
    endNamed: (device: string) => `Log out ${device}`,
    ended: (device: string) => `${device} is logged out.`,
    device: (device: string) => device,
    delete: 'Delete account',
    deleteHint:
      'Your name, e-mail and connections are erased for good. The bookkeeping stays, without your name.',
    deleteNotEmpty: (balance: string) =>
      `You have ${balance}. Spend it before you delete your account.`,
    deleteIndebted: (debt: string) => `You owe ${debt}. Settle it before you delete your account.`,
    deleteOpen: 'Delete account …',
    deleteTitle: 'Delete your account?',
    deleteText: 'All apps are disconnected and you can no longer log in. This cannot be undone.',
    deleteWait: 'This takes a few seconds: we wait for payments that are still under way.',
    deleteSubmit: 'Delete for good',
    deletedTitle: 'Your account is deleted',
    deleted:
      'Your personal data is erased and all apps are disconnected. You can close this window.',
  },

  failed: {
    offlineTitle: 'You are offline',
    offline: 'We cannot reach your account. Check your connection, then try again.',
    title: 'Your account did not load',
    text: 'Something went wrong on our side. Your money is safe. Try again in a moment.',
  },
  errors,
  offline: 'No answer came. Check your connection and try again.',
  unforeseen: 'Something went wrong on our side. Try again in a moment.',
  rateLimited: (seconds: number) => `Too many attempts. Try again in ${countSeconds(seconds)}.`,
}

export type Messages = typeof en
