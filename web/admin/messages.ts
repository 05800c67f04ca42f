/** All texts of the admin area. Each one says what happened and what to do next. */
import { sharedErrorsEn } from '../ui/error-messages-en.ts'
import { countSeconds } from '../ui/messages-en.ts'
import { authorityWords } from './client-apps/authority-messages.ts'
import { appWords } from './client-apps/messages.ts'
import { moneyWords } from './grants/messages.ts'
import { overviewWords } from './overview/messages.ts'
import { operationWords } from './operations/messages.ts'
import { peopleWords } from './people/messages.ts'
import { selfErrors, selfWords } from './sign-in/messages.ts'
import { topupWords } from './topups/messages.ts'
import { switchWords } from './switches/messages.ts'
import { webhookWords } from './webhooks/messages.ts'

const errors: typeof sharedErrorsEn = {
  ...sharedErrorsEn,
  ...selfErrors,
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

export const words = {
  ...appWords,
  ...authorityWords,
  ...moneyWords,
  ...overviewWords,
  ...operationWords,
  ...peopleWords,
  ...selfWords,
  ...topupWords,
  ...switchWords,
  ...webhookWords,
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
    label: 'Admin area',
    menu: 'Menu',
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
  searchEverything: {
    label: 'Search everything',
    placeholder: 'Search',
    hint: 'Email, name, reference, app, txn_… or pi_…. Press / to search.',
    title: (text: string) => `Results for “${text}”`,
    noText: 'Enter an email, a name, a reference, an app or a transaction ID.',
    noPeople: 'No person has this name, email or serviceUserId.',
    noApps: 'No client app has this name.',
    operations: 'Operations with this reference',
    noOperations: 'No operation has exactly this reference ID.',
    noneYet: (from: string) => `None since ${from}.`,
    noTopups: 'No top-up has this ID.',
    all: (what: string) => `All results in ${what}`,
    older: 'Search older operations',
  },
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  roleHints: {
    owner: 'Can do everything, including managing operators.',
    operator: 'Manages client apps and people, and can give or correct money.',
    viewer: 'Can see everything but change nothing.',
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
    email: 'Email',
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
  /** For an empty field, by its name. */
  faults: {
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
  errors,
  offline: 'No response from the service. Check your connection and try again.',
  unexpected: 'Something went wrong on our side. Try again in a moment.',
  rateLimited: (seconds: number) => `Too many attempts. Try again in ${countSeconds(seconds)}.`,

  logIn: {
    title: 'Log in',
    lead: 'For operators of this service.',
    submit: 'Continue',
    loggedOut: 'You are logged out.',
    expired: 'Your login has expired. Log in again to continue where you were.',
    notKept:
      'Your browser did not keep the login. Allow cookies for this page. Safari keeps them only over https.',
  },
  code: {
    title: 'Enter your code',
    lead: 'Open your authenticator app and enter the code for this service.',
    submit: 'Log in',
    startAgain: 'Start again with the password',
  },
  enroll: {
    title: 'Set up your authenticator',
    lead: 'Scan this code with an authenticator app. You will need the app every time you log in.',
    qrCode: 'QR code with your authenticator secret. The same secret is shown below as text.',
    secret: 'Secret',
    codeHint: 'The 6 digits that the app shows after scanning.',
    submit: 'Set up and log in',
  },
  recovery: {
    title: 'Save your recovery codes',
    lead: 'If you lose your authenticator, you can log in with each of these codes once. They are not shown again.',
    codes: 'the recovery codes',
    download: 'Download',
    fileName: 'recovery-codes.txt',
    fileHead: (host: string) => `Recovery codes for ${host}. Each works once.`,
    stored: 'I have saved the codes',
    storedHint: 'Keep them in a safe place, not on the device with the authenticator.',
    submit: 'Continue',
  },
  confirm: {
    title: 'Confirm your identity',
    text: 'This action requires your password and a code. You will not be asked again for five minutes.',
    submit: 'Confirm',
  },
  failed: {
    title: 'This page could not be loaded',
    text: 'Something went wrong on our side. Try again in a moment.',
    offlineTitle: 'No response from the service',
    offline: 'Check your connection and try again.',
  },
  notFound: {
    title: 'Page not found',
    text: 'The address may be wrong, or the page no longer exists.',
    back: 'See all client apps',
  },

  list: {
    search: 'Search',
    from: 'From (UTC)',
    to: 'To (UTC)',
    app: 'Client app',
    anyApp: 'Any client app',
    more: 'Show more',
    filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
    failed: 'This could not be loaded.',
    noneTitle: 'No results',
    none: 'Try another word or fewer filters.',
    noneYet: 'Not everything has been searched yet. Select “Show more” to continue.',
    found: (count: number, hasMore: boolean) =>
      `${count} ${count === 1 ? 'row' : 'rows'}${hasMore ? ', more available' : ''}.`,
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
    hasNone: 'Not set up',
    by: (actor: string) => `by ${actor}`,
    change: 'Change',
    create: 'Add an operator',
    createSubmit: 'Add',
    createdTitle: 'Operator added',
    created:
      'Send this initial password to the operator through a secure channel. It is not shown again.',
    firstPassword: 'Initial password',
    handedOver: 'I have copied it',
  },
  changeOperator: {
    title: (name: string) => `Change ${name}`,
    what: 'What to change',
    role: 'Role',
    roleHint: (role: string) => `Currently: ${role}.`,
    saveRole: 'Save role',
    deactivate: 'Deactivate',
    deactivateHint:
      'The operator is logged out immediately and cannot log in until activated again.',
    activate: 'Activate',
    activateHint:
      'The operator can log in again with the same password, authenticator and passkeys.',
    reset: 'Reset authenticator',
    resetHint:
      'For a lost device: the next login sets up a new one. Old codes and passkeys stop working.',
    done: (name: string) => `${name} was updated.`,
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
    emptyTitle: 'No entries yet',
    empty: 'Every action of an operator will appear here, with the values before and after.',
    from: (actor: string, address: string | null) =>
      address === null ? `By ${actor}.` : `By ${actor}, from ${address}.`,
    noChange: 'This action changed no recorded fields.',
    same: (count: number) => (count === 1 ? '1 field unchanged.' : `${count} fields unchanged.`),
    value: 'Value',
    before: 'Before:',
    after: 'After:',
  },
}
