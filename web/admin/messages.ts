/** Every word of the operators' area. Each text says what happened and what to do next. */
import type { ErrorCode } from '@coffer/contract/errors'
import { appWords } from './client-apps/messages.ts'
import { moneyWords } from './grants/messages.ts'
import { overviewWords } from './overview/messages.ts'
import { operationWords } from './operations/messages.ts'
import { peopleWords } from './people/messages.ts'
import { selfErrors, selfWords } from './sign-in/messages.ts'
import { topupWords } from './topups/messages.ts'
import { switchWords } from './switches/messages.ts'

function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

const errors: Partial<Record<ErrorCode, string>> = {
  ...selfErrors,
  LOGIN_FAILED: 'The e-mail or the password is wrong. Check both and try again.',
  CODE_INVALID: 'This code is wrong, too old or was used already. Wait for the next one.',
  EMAIL_TAKEN: 'There is an operator with this e-mail already. Use a different one.',
  INVALID_REQUEST: 'Something in this form does not fit. Check what you entered and try again.',
  INVALID_AMOUNT:
    'Enter an amount like 1000 or 1000.50, with at most the decimals of the currency.',
  OPERATOR_FORBIDDEN:
    'Nothing was changed. Either your role does not allow this, or it would leave the service without an owner.',
  CONFIRMATION_REQUIRED: 'Nothing was changed, because you did not confirm who you are.',
  ORIGIN_NOT_ALLOWED: 'This page may not do that. Reload it and try again.',
  NOT_FOUND: 'It is not there any more. Reload the page to see what is.',
  SERVICE_UNAVAILABLE:
    'The service is busy, or writes are paused, and nothing was changed. Try again in a moment.',
  PAYLOAD_TOO_LARGE: 'That is too much text. Shorten what you entered and try again.',
}

export const words = {
  ...appWords,
  ...moneyWords,
  ...overviewWords,
  ...operationWords,
  ...peopleWords,
  ...selfWords,
  ...topupWords,
  ...switchWords,
  brand: 'Coffer',
  pageTitle: (section: string) => `${section} · Coffer admin`,
  testMode: 'Test mode',
  testModeHint: 'No real money moves in this deployment.',
  loading: 'Loading …',
  retry: 'Try again',
  cancel: 'Cancel',
  save: 'Save changes',
  saved: 'Saved.',
  logOut: 'Log out',
  skip: 'Skip to content',
  never: 'Never',
  none: '–',
  nav: {
    label: 'Operators’ area',
    overview: 'Overview',
    apps: 'Client apps',
    people: 'People',
    operations: 'Operations',
    topups: 'Top-ups',
    approvals: 'Approvals',
    operators: 'Operators',
    audit: 'Audit log',
    switches: 'Switches',
  },
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  roleHints: {
    owner: 'Everything, including who the operators are.',
    operator: 'Works with client apps and people, and gives or corrects money.',
    viewer: 'Sees everything and changes nothing.',
  },
  states: { active: 'Active', inactive: 'Inactive' },
  copy: {
    idle: 'Copy',
    copied: 'Copied',
    failed: 'Not copied',
    named: (what: string) => `Copy: ${what}`,
  },

  fields: {
    name: 'Name',
    email: 'E-mail',
    password: 'Password',
    showPassword: 'Show password',
    code: 'Code',
    recoveryCode: 'Recovery code',
    appName: 'Name',
  },
  codeHint: '6 digits from your authenticator app.',
  useRecoveryCode: 'Use a recovery code',
  useAuthenticator: 'Use the authenticator app',
  passwordWrong: 'This is not your password. Check it and try again.',
  /** What is missing in a field, by its name. */
  faults: {
    name: 'Enter a name.',
    email: 'Enter an e-mail address like name@example.com.',
    password: 'Enter your password.',
    code: 'Enter the 6 digits, or a recovery code.',
    appName: 'Enter a name. People see it when they connect their wallet.',
    accentColor: 'Enter a colour like #0a7c66, or leave it empty.',
    creditLimit: 'Enter an amount like 1000 or 1000.50.',
  },
  /** What the service does not take, by the field's name. */
  refused: {
    name: 'Use at most 80 characters, without line breaks.',
    email: 'The service does not take this e-mail address. Check it.',
    password: 'Use at most 128 characters.',
    newPassword: 'Use at most 128 characters.',
    code: 'Enter the 6 digits, or a recovery code.',
    allowedOrigins: 'One of these origins does not fit. Check how they are written.',
    allowedIframeParents: 'One of these origins does not fit. Check how they are written.',
  },
  errors,
  offline: 'The service did not answer. Check your connection and try again.',
  unforeseen: 'Something went wrong on our side. Try again in a moment.',
  rateLimited: (seconds: number) =>
    `Too many tries. Wait ${countSeconds(seconds)}, then try again.`,

  logIn: {
    title: 'Log in',
    lead: 'For operators of this service.',
    submit: 'Continue',
    loggedOut: 'You are logged out.',
    expired: 'Your log-in has ended. Log in again to go on where you were.',
  },
  code: {
    title: 'Enter your code',
    lead: 'Open your authenticator app and enter the code that it shows for this service.',
    submit: 'Log in',
    startAgain: 'Start again with the password',
  },
  enroll: {
    title: 'Set up your authenticator',
    lead: 'Scan this with an authenticator app. From now on you need it to log in.',
    qrCode: 'QR code of your authenticator’s secret. The same secret stands below as text.',
    secret: 'Secret',
    codeHint: '6 digits that the app shows after scanning.',
    submit: 'Set up and log in',
  },
  recovery: {
    title: 'Store your recovery codes',
    lead: 'If you lose your authenticator, each of these lets you in once. They are not shown again.',
    codes: 'the recovery codes',
    download: 'Download',
    fileName: 'recovery-codes.txt',
    fileHead: (host: string) => `Recovery codes for ${host}. Each works once.`,
    stored: 'I have stored them',
    storedHint: 'In a safe place that is not the device with the authenticator.',
    submit: 'Go on',
  },
  confirm: {
    title: 'Confirm that it is you',
    text: 'This action needs your password and a code. You are then not asked again for five minutes.',
    submit: 'Confirm',
  },
  failed: {
    title: 'This page could not be loaded',
    text: 'Something went wrong on our side. Try again in a moment.',
    offlineTitle: 'The service did not answer',
    offline: 'Check your connection, then try again.',
  },
  notFound: {
    title: 'There is nothing here',
    text: 'The address may be mistyped, or what it named is gone.',
    back: 'See all client apps',
  },

  list: {
    search: 'Search',
    from: 'From (UTC)',
    to: 'To (UTC)',
    more: 'Show more',
    failed: 'This could not be loaded.',
    noneTitle: 'Nothing fits',
    none: 'Try another word, or fewer filters.',
    noneYet: 'There is more to look through. Show more to go on.',
    found: (count: number, hasMore: boolean) =>
      `${count} ${count === 1 ? 'row' : 'rows'}${hasMore ? ', and there are more' : ''}.`,
  },

  operators: {
    columns: {
      name: 'Name',
      role: 'Role',
      state: 'State',
      authenticator: 'Authenticator',
      lastSeen: 'Last seen',
      created: 'Created',
    },
    you: 'You',
    hasOne: 'Set up',
    hasNone: 'Not yet',
    by: (actor: string) => `by ${actor}`,
    change: 'Change',
    create: 'Add an operator',
    createSubmit: 'Add',
    createdTitle: 'The operator is added',
    created: 'Hand this first password over in a safe way. It is not shown again.',
    firstPassword: 'First password',
    handedOver: 'I have it',
  },
  changeOperator: {
    title: (name: string) => `Change ${name}`,
    what: 'What to change',
    role: 'Role',
    roleHint: (role: string) => `${role} at the moment.`,
    saveRole: 'Save role',
    deactivate: 'Deactivate',
    deactivateHint: 'They are logged out at once and cannot log in until activated again.',
    activate: 'Activate',
    activateHint: 'They can log in again, with the same password, authenticator and passkeys.',
    reset: 'Reset authenticator',
    resetHint:
      'For a lost device: the next log-in sets up a new one. Old codes and passkeys stop working.',
    done: (name: string) => `${name} is changed.`,
  },

  audit: {
    columns: {
      time: 'Time (UTC)',
      actor: 'Actor',
      address: 'Address',
      action: 'Action',
      subject: 'Subject',
    },
    searchHint: 'Actor, action or subject',
    emptyTitle: 'Nothing has happened yet',
    empty: 'Every action of an operator will stand here, with before and after.',
    from: (actor: string, address: string | null) =>
      address === null ? `By ${actor}.` : `By ${actor}, from ${address}.`,
    noChange: 'This action changed no recorded field.',
    same: (count: number) => (count === 1 ? '1 field unchanged.' : `${count} fields unchanged.`),
    value: 'Value',
    before: 'Before:',
    after: 'After:',
  },
}
