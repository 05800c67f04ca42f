/** The state of the model: people, links, and every credential that was ever issued, also those that have ended. */
import type { ErrorCode } from '@coffer/contract/errors'

/** A value that the service invents. It is bound to what the service returns first and must never differ afterwards. */
export class Token {
  value: string | undefined
  readonly form: RegExp

  constructor(form: RegExp) {
    this.form = form
  }
}

export interface App {
  index: number
}

export interface Person {
  index: number
  /** As the person spelled it. */
  email: string
  firstName: string
  isVerified: boolean
  /** null: “This wasn't me” has disabled it. */
  password: string | null
  /** When it was changed last, as a position in the order of everything that happened. 0: never. */
  passwordChanged: number
  /** Whoever has money cannot delete the account. */
  hasMoney: boolean
  isErased: boolean
}

/** What ended a credential or a link. An expiry is not recorded: it follows from the time. */
export type End =
  | 'use'
  | 'login'
  | 'logout'
  | 'end of a login'
  | 'new password'
  | 'reset'
  | 'undo'
  | 'secure'
  | 'new email'
  | 'unlink'
  | 'erasure'

export interface Link {
  app: App
  person: Person
  id: Token
  createdMs: number
  /** When, as a position in the order of everything that happened. */
  created: number
  /** When the person agreed last. */
  agreed: number
  endedBy: End | undefined
}

/** How the service expects a ticket to be used. */
export type TicketKind = 'signUp' | 'signUpAtAccount' | 'verify' | 'newEmail' | 'consent' | 'reset'

export interface Expiring {
  token: Token
  expiresMs: number
  endedBy: End | undefined
}

export interface Ticket extends Expiring {
  kind: TicketKind
  /** undefined: of a sign-up, or of an address without an account. */
  person: Person | undefined
  app: App | undefined
  challenge: string | undefined
  /** undefined: no code is right, or it needs none. */
  code: Token | undefined
  tries: number
  /** Of a sign-up, or the new address. */
  email: string
  password: string
}

export interface LinkCode extends Expiring {
  link: Link
  challenge: string
}

export interface WidgetSession extends Expiring {
  link: Link
}

/** What an app did with the wallet of a person. It keeps the id that the person had then. */
export interface Operation {
  app: App
  link: Link
  type: string
  referenceId: string
  atMs: number
}

export interface LogIn extends Expiring {
  person: Person
  id: Token
  device: string
  lastSeenMs: number
}

/** The links in emails that are valid for seven days. */
export interface MailLink extends Expiring {
  kind: 'undo' | 'warning'
  person: Person
  /** Which address an undo restores. */
  email: string
}

/** A browser with its cookies, in a network of its own. */
export interface Browser {
  device: string
  network: string
  logIn: LogIn | undefined
  /** The cookie that makes the browser known to an account. */
  known: { number: number; email: string; issued: number } | undefined
}

export type MailKind =
  | 'code'
  | 'reset link'
  | 'already registered'
  | 'password reset'
  | 'password changed'
  | 'app linked'
  | 'app unlinked'
  | 'all apps unlinked'
  | 'new login'
  | 'email changed'
  | 'email restored'

/** An email that must be sent; `token`: the code or ticket in it, `warning`: the ticket of “This wasn't me”. */
export interface Mail {
  to: string
  kind: MailKind
  token: Token | undefined
  warning: Token | undefined
}

export interface AppEvent {
  type: 'link.created' | 'link.ended'
  link: Link
  reason: 'user' | 'erasure' | undefined
}

/** What the service must respond. */
export interface Answer {
  code?: ErrorCode
  field?: string
  /** Of Retry-After, if a clock decides it. */
  waitSeconds?: number
  body?: Record<string, unknown>
  /** The login whose cookie is set; null: the cookie is removed. */
  logIn?: LogIn | null
}

export const TICKET = /^[\w-]{32}$/
export const CODE = /^\d{6}$/
export const COOKIE = /^[\w-]{43}$/
export const SERVICE_USER_ID = /^su_[0-9a-f]{32}$/
export const LINK_CODE = /^lc_[0-9a-f]{48}$/
export const SESSION = /^ws_[0-9a-f-]{36}$/
export const UUID = /^[0-9a-f-]{36}$/

export const sameMailbox = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
