/** What the plans must make happen; otherwise they are too weak to find a bug there. */

const CODES = [
  'LOGIN_FAILED',
  'LOGIN_REQUIRED',
  'CODE_INVALID',
  'PASSWORD_REFUSED',
  'RATE_LIMITED',
  'ORIGIN_NOT_ALLOWED',
  'INVALID_REQUEST',
  'INVALID_SESSION',
  'SESSION_EXPIRED',
  'USER_NOT_FOUND',
  'LINK_CODE_INVALID',
  'ACCOUNT_NOT_EMPTY',
]

const OUTCOMES = {
  'sign-up in the widget': ['verify', 'PASSWORD_REFUSED'],
  'sign-up at /account': ['done', 'PASSWORD_REFUSED'],
  'login in the widget': ['linked', 'consent', 'verify', 'LOGIN_FAILED', 'RATE_LIMITED'],
  'login at /account': ['done', 'LOGIN_FAILED', 'RATE_LIMITED'],
  'forgotten password': ['reset', 'done', 'RATE_LIMITED'],
  agree: ['linked', 'LOGIN_REQUIRED'],
  verifyEmail: ['linked', 'CODE_INVALID'],
  verifySignUp: ['done', 'CODE_INVALID'],
  verifyNewEmail: ['done', 'CODE_INVALID', 'LOGIN_REQUIRED'],
  reset: ['done', 'CODE_INVALID'],
  undo: ['done', 'CODE_INVALID'],
  secure: ['done', 'CODE_INVALID'],
  exchange: ['done', 'LINK_CODE_INVALID', 'INVALID_REQUEST'],
  'new session': ['done', 'USER_NOT_FOUND', 'ORIGIN_NOT_ALLOWED'],
  'top-up': ['INVALID_AMOUNT', 'SESSION_EXPIRED'],
  'top-up with a card': ['INVALID_AMOUNT', 'SESSION_EXPIRED'],
  'confirmed top-up': ['PAYMENT_INTENT_NOT_FOUND', 'SESSION_EXPIRED'],
  debit: ['done', 'USER_NOT_FOUND'],
  unlink: ['done'],
  unlinkAll: ['done'],
  changePassword: ['done'],
  changeEmail: ['done'],
  delete: ['done'],
  erase: ['done'],
}

const EMAILS = [
  'code',
  'reset link',
  'already registered',
  'password reset',
  'password changed',
  'app linked',
  'app unlinked',
  'all apps unlinked',
  'new login',
  'email changed',
  'email restored',
]

const EVENTS = ['link.created', 'link.ended user', 'link.ended erasure']

/** Each kind of credential is used while it works, and after each of these has ended it. */
const ENDED = {
  'a login': [
    'works',
    'idle',
    'login',
    'logout',
    'end of a login',
    'new password',
    'reset',
    'secure',
  ],
  'a link code': ['works', 'time', 'unlink', 'secure'],
  'a link code of another app': ['works', 'time'],
  'an id': ['works', 'unlink', 'secure', 'erasure'],
  'an id of another app': ['works', 'unlink'],
  'a widget session': ['works', 'time', 'unlink', 'new password', 'reset', 'secure'],
  'an operation of a link': ['works', 'unlink', 'linked again'],
  'a ticket elsewhere': ['works', 'use', 'time', 'reset'],
  signUp: ['works', 'use', 'time'],
  signUpAtAccount: ['works', 'use'],
  verify: ['works', 'use'],
  consent: ['works', 'use'],
  newEmail: ['works', 'use'],
  reset: ['works', 'reset'],
  undo: ['works', 'undo'],
  warning: ['works', 'use', 'time'],
}

const join = (table: Record<string, readonly string[]>, between: string) =>
  Object.entries(table).flatMap(([name, all]) => all.map((each) => name + between + each))

export const MUST_HIT = [
  ...CODES,
  ...join(OUTCOMES, ' → '),
  ...join({ email: EMAILS, event: EVENTS }, ': '),
  ...join(ENDED, ': '),
  'a login while somebody else waits',
  'a login after a renewed consent',
  'endLogIn of a login of the person',
  'endLogIn of somebody else',
  'maintain',
]
