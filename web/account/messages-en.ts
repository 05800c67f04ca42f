/** All messages of the account page. Each one says what happened and what to do next. */
import { limitsEn } from './apps/limit-messages-en.ts'
import { mailLinksEn } from './sign-in/mail-link-messages-en.ts'
import { cardsEn } from './profile/card-messages-en.ts'
import { statementEn } from './statement/messages-en.ts'
import { passkeysEn } from './profile/passkey-messages-en.ts'
import { historyEn } from './history/messages-en.ts'
import type { ErrorCode } from '@coffer/contract/errors'
import { sharedErrorsEn } from '../ui/error-messages-en.ts'
import { sharedEn } from '../ui/messages-en.ts'

const errors: Partial<Record<ErrorCode, string>> = {
  ...sharedErrorsEn,
  EMAIL_TAKEN: 'Another account uses this email. Use a different one.',
  SERVICE_UNAVAILABLE: 'The service is busy. Nothing was changed. Try again in a moment.',
  OUTCOME_UNKNOWN:
    'This is taking longer than usual. Reload the page in a minute to see whether it worked.',
  ACCOUNT_NOT_EMPTY:
    'Your account still has a balance, a reserved amount or a debt, so it was not deleted. Spend the balance, wait for reserved amounts or pay off the debt first.',
}

export const en = {
  ...sharedEn,
  brand: 'Wallet',
  pageTitle: (section: string) => `${section} · Your wallet`,
  loading: 'Loading …',
  retry: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved.',
  copy: {
    idle: 'Copy',
    copied: 'Copied',
    failed: 'Not copied',
    named: (what: string) => `Copy: ${what}`,
  },
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
    ...sharedEn.fields,
    newEmail: 'New email',
    currentPassword: 'Current password',
  },
  refused: { ...sharedEn.refused, newPassword: sharedEn.refused.password },
  passwordWrong: 'This is not your password. Check it and try again.',

  logIn: {
    title: 'Log in to your account',
    lead: 'See your balance and history, and decide which apps may use your wallet.',
    submit: 'Log in',
    forgot: 'Forgot password?',
    other: 'No wallet yet?',
    signUp: 'Create an account',
    loggedOut: 'You are logged out.',
    expired: 'To protect your account, we logged you out. Log in again to continue.',
    notKept:
      'Your browser did not keep the login. Allow cookies for this page. Safari keeps them only over https.',
  },
  signUp: {
    title: 'Create your wallet',
    lead: 'It takes a minute. Apps can use your wallet only after you connect them.',
    submit: 'Create account',
    taken: 'An account with this email already exists.',
    instead: 'Log in instead',
    other: 'Already have a wallet?',
    logIn: 'Log in',
  },
  verify: {
    title: 'Check your email',
    lead: 'We sent a 6-digit code to',
    submit: 'Confirm',
  },
  ...mailLinksEn,
  overview: {
    greeting: (firstName: string) => `Hello, ${firstName}`,
    balance: 'Balance',
    addMoney: 'Add money',
    debtTitle: (debt: string) => `You owe ${debt}.`,
    held: (held: string) => `${held} more is reserved by apps.`,
    debt: 'Your bank reversed a card payment. Your next top-up pays this debt first.',
    frozenTitle: 'Your wallet is frozen.',
    frozen: sharedEn.frozen,
    recent: 'Recent activity',
    all: 'See all',
    appsTitle: 'Connected apps',
    apps: (count: number) =>
      count === 1 ? '1 app can charge your wallet.' : `${count} apps can charge your wallet.`,
    noApps: 'No app can charge your wallet.',
    manage: 'Manage',
  },

  history: historyEn,
  statement: statementEn,

  apps: {
    title: 'Connected apps',
    lead: 'These apps can see your balance and charge your wallet. An app cannot see what you do in other apps.',
    since: (date: string) => `Connected ${date}`,
    unlink: 'Disconnect',
    unlinkNamed: (app: string) => `Disconnect ${app}`,
    emptyTitle: 'No connected apps',
    empty: 'Apps appear here after you log in to your wallet in them.',
    dialogTitle: (app: string) => `Disconnect ${app}?`,
    dialog: (app: string) =>
      `${app} can no longer see your balance or charge your wallet. You keep your money and your history.`,
    dialogAgain: 'If you connect it again later, the app will treat you as a new user.',
    unlinked: (app: string) => `${app} is disconnected.`,
    unlinkAll: 'Disconnect all apps',
    allTitle: 'Disconnect all apps?',
    all: 'No app can see your balance or charge your wallet anymore. You keep your money and your history.',
    allUnlinked: 'All apps are disconnected.',
  },
  limits: limitsEn,
  passkeys: passkeysEn,
  cards: cardsEn,

  profile: {
    title: 'Profile & security',
    name: 'Name',
    nameHint: 'Shown in your wallet inside connected apps.',
    email: 'Email',
    emailHint: 'You log in with this email, and we notify you there when your account changes.',
    emailNow: (email: string) => `Your email is ${email}.`,
    emailSubmit: 'Change email',
    emailSent: 'We sent a 6-digit code to',
    emailSpam: 'It can take a minute. If no email arrives, check the address and start again.',
    emailConfirm: 'Confirm',
    emailAgain: 'Start again',
    emailChanged: (email: string) => `Your email is now ${email}.`,
    password: 'Password',
    passwordHint: 'Changing your password logs you out on all other devices.',
    passwordSubmit: 'Change password',
    passwordChanged: 'Your password was changed. You are logged out on all other devices.',
    logIns: 'Devices',
    logInsHint:
      'The devices where you are logged in. Log out any that you do not recognize, then change your password.',
    thisDevice: 'This device',
    lastSeen: (date: string) => `Last active: ${date}`,
    end: 'Log out',
    endNamed: (device: string) => `Log out ${device}`,
    ended: (device: string) => `${device} is logged out.`,
    device: (device: string) => device,
    emails: 'Emails',
    emailsHint:
      'We always notify you about new logins, connected apps, passkeys and changes of your email or password.',
    receipts: 'Send me a receipt when money is added',
    paymentMin: (currency: string) => `Email me about payments of at least (${currency})`,
    balanceMin: (currency: string) => `Email me when my balance falls below (${currency})`,
    alertHint: 'Leave it empty for no emails.',
    alertError: 'Enter an amount such as 20 or 19.99, or leave it empty.',
    data: 'Your data',
    dataHint: 'Your account, settings, apps, devices, top-ups and history in one file.',
    dataDownload: 'Download as JSON',
    delete: 'Delete account',
    deleteHint:
      'Permanently erases your name, email and connected apps. Accounting records are kept without your name.',
    deleteNotEmpty: (balance: string) =>
      `You have ${balance}. Spend it before you delete your account.`,
    deleteHeld: (held: string) =>
      `Apps have reserved ${held}. Wait until they take or release it before you delete your account.`,
    deleteIndebted: (debt: string) => `You owe ${debt}. Pay it off before you delete your account.`,
    deleteOpen: 'Delete account …',
    deleteTitle: 'Delete your account?',
    deleteText:
      'All apps will be disconnected and you will no longer be able to log in. This cannot be undone.',
    deleteWait: 'This takes a few seconds while pending payments finish.',
    deleteSubmit: 'Delete permanently',
    deletedTitle: 'Your account was deleted',
    deleted:
      'Your personal data was erased and all apps were disconnected. You can close this window.',
  },

  display: {
    language: 'Language',
    languageHint: 'Used on these pages and in our emails to you.',
    languageField: 'Your language',
    asBrowser: 'Same as browser',
    theme: 'Appearance',
    themeHint: 'Only in this browser.',
    themeField: 'Colors',
    themes: { auto: 'Same as system', light: 'Light', dark: 'Dark' },
  },

  failed: {
    offlineTitle: 'You are offline',
    offline: 'We cannot reach your account. Check your connection and try again.',
    title: 'Your account did not load',
    text: sharedEn.failedText,
  },
  errors,
}

export type Messages = typeof en
