/**
 * What sign-up, login, consent, links, widget sessions, emails and the logins of /account must do, by the contract and the
 * documents. Nothing happens at the same time, and the driver sets the time before each call.
 */
import type { ErrorCode } from '@coffer/contract/errors'
import * as limits from '@coffer/contract/limits'
import {
  CODE,
  COOKIE,
  LINK_CODE,
  sameMailbox,
  SERVICE_USER_ID,
  SESSION,
  TICKET,
  Token,
  UUID,
  type Answer,
  type App,
  type AppEvent,
  type Browser,
  type End,
  type Expiring,
  type Link,
  type LinkCode,
  type LogIn,
  type Mail,
  type MailKind,
  type MailLink,
  type Operation,
  type Person,
  type Ticket,
  type TicketKind,
  type WidgetSession,
} from './state.ts'
import { Attempts, SignUps } from './throttle.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
export const LOG_IN_MS = 12 * HOUR_MS
const IDLE_MS = 30 * MINUTE_MS
/** A request renews a login at most once in this time. */
const RENEWAL_MS = MINUTE_MS

/** Of the plans: too easy to guess. */
export const WEAK_PASSWORD = 'password1234'

export interface SignUpForm {
  email: string
  password: string
  challenge: string | undefined
}

type Refusal = Answer & { code: ErrorCode }

const refuse = (code: ErrorCode): Refusal => ({ code })
const wait = (waitSeconds: number): Refusal => ({ code: 'RATE_LIMITED', waitSeconds })
const DONE: Answer = { body: {} }

export class LinksModel {
  nowMs = 0
  readonly apps: App[] = []
  readonly people: Person[] = []
  readonly browsers: Browser[] = []
  readonly links: Link[] = []
  readonly tickets: Ticket[] = []
  readonly linkCodes: LinkCode[] = []
  readonly sessions: WidgetSession[] = []
  readonly logIns: LogIn[] = []
  readonly mailLinks: MailLink[] = []
  readonly operations: Operation[] = []
  readonly attempts = new Attempts()
  readonly signUps = new SignUps()
  /** What was sent since the driver looked. */
  mails: Mail[] = []
  readonly events = new Map<App, AppEvent[]>()
  #order = 0

  addApp() {
    const app = { index: this.apps.length }
    this.apps.push(app)
    this.events.set(app, [])
  }

  addPerson(about: Pick<Person, 'email' | 'password' | 'isVerified' | 'hasMoney'>): Person {
    const index = this.people.length
    const rest = { index, firstName: 'Ada', passwordChanged: 0, isErased: false }
    const person = { ...about, ...rest }
    this.people.push(person)
    return person
  }

  /** Before the plan begins. */
  addLink(app: App, person: Person): Link {
    return this.#link(app, person)
  }

  personOf(email: string): Person | undefined {
    return this.people.find((each) => !each.isErased && sameMailbox(each.email, email))
  }

  linkOf(app: App, person: Person): Link | undefined {
    return this.links.find((each) => each.app === app && each.person === person && !each.endedBy)
  }

  isLive({ endedBy, expiresMs }: Pick<Expiring, 'endedBy' | 'expiresMs'>): boolean {
    return endedBy === undefined && this.nowMs < expiresMs
  }

  isOpen(session: WidgetSession): boolean {
    return this.isLive(session) && !session.link.endedBy
  }

  isLoggedIn(logIn: LogIn): boolean {
    return this.isLive(logIn) && this.nowMs < logIn.lastSeenMs + IDLE_MS
  }

  /** When something expires or a wait ends: a call must not be made at such a time. */
  *boundaries(): Generator<number> {
    const expiring = [...this.tickets, ...this.linkCodes, ...this.sessions, ...this.mailLinks]
    for (const each of expiring) if (!each.endedBy) yield each.expiresMs
    for (const { endedBy, expiresMs, lastSeenMs } of this.logIns) {
      if (endedBy) continue
      yield expiresMs
      yield lastSeenMs + IDLE_MS
      yield lastSeenMs + RENEWAL_MS
    }
    yield* this.attempts.boundaries()
    yield* this.signUps.boundaries()
  }

  // The widget.

  signUp(browser: Browser, app: App | undefined, form: SignUpForm): Answer {
    if (form.password === WEAK_PASSWORD) return refuse('PASSWORD_REFUSED')
    // A plan does not know how long a network has to wait: the service says approximately.
    if (!this.signUps.take(this.nowMs, browser.network)) return refuse('RATE_LIMITED')
    const seconds = this.attempts.make(this.nowMs, 'mail', form.email)
    if (seconds !== undefined) return wait(seconds)
    const isFree = this.personOf(form.email) === undefined
    const kind = app ? 'signUp' : 'signUpAtAccount'
    const ticket = this.#issue(kind, undefined, { ...form, app, hasCode: isFree })
    this.#send(form.email, isFree ? 'code' : 'already registered', ticket.code)
    return { body: app ? { step: 'verify', ticket: ticket.token } : { ticket: ticket.token } }
  }

  logInToWidget(browser: Browser, app: App, form: SignUpForm): Answer {
    const checked = this.#checkPassword(form.email, form.password, browser.network)
    return 'code' in checked ? checked : this.#takeNextStep(checked, app, form.challenge)
  }

  /** What follows a right password: the code of the address, the consent, or the link code. */
  #takeNextStep(person: Person, app: App, challenge: string | undefined): Answer {
    if (!person.isVerified) {
      const seconds = this.attempts.make(this.nowMs, 'mail', person.email)
      if (seconds !== undefined) return wait(seconds)
      const ticket = this.#issue('verify', person, { app, challenge, hasCode: true })
      this.#send(person.email, 'code', ticket.code)
      return { body: { step: 'verify', ticket: ticket.token } }
    }
    const link = this.linkOf(app, person)
    if (link === undefined || link.agreed < person.passwordChanged) {
      const { token } = this.#issue('consent', person, { app, challenge })
      return { body: { step: 'consent', ticket: token, firstName: person.firstName } }
    }
    this.#notify(person, 'app linked')
    return this.#showLink(link, challenge)
  }

  agree(ticket: Ticket | undefined): Answer {
    if (!ticket || ticket.kind !== 'consent' || !this.isLive(ticket))
      return refuse('LOGIN_REQUIRED')
    ticket.endedBy = 'use'
    const { app, person, challenge } = ticket as Ticket & { app: App; person: Person }
    const link = this.#link(app, person)
    this.#notify(person, 'app linked')
    return this.#showLink(link, challenge)
  }

  verifyEmail(ticket: Ticket | undefined, code: string): Answer {
    const kinds: TicketKind[] = ['signUp', 'signUpAtAccount', 'verify']
    if (!ticket || !this.#redeem(ticket, code, kinds)) return refuse('CODE_INVALID')
    const { app, person, challenge } = ticket
    if (app === undefined) return refuse('CODE_INVALID')
    if (person) {
      person.isVerified = true
      return this.#takeNextStep(person, app, challenge)
    }
    const created = this.#createAccount(ticket)
    return created ? this.#showLink(this.#link(app, created), challenge) : refuse('CODE_INVALID')
  }

  forgot(email: string, inWidget: boolean): Answer {
    const seconds = this.attempts.make(this.nowMs, 'reset', email)
    if (seconds !== undefined) return wait(seconds)
    this.attempts.make(this.nowMs, 'mail', email)
    const person = this.personOf(email)
    if (person) {
      const { token } = this.#issue('reset', person, { email })
      this.#send(person.email, 'reset link', token)
    }
    return { body: inWidget ? { step: 'reset' } : {} }
  }

  // The app's backend.

  exchange(app: App, code: LinkCode, challenge: string | undefined): Answer {
    if (challenge === undefined) return { code: 'INVALID_REQUEST', field: 'verifier' }
    const { link } = code
    const isOwn = link.app === app && !link.endedBy && this.isLive(code)
    if (!isOwn || code.challenge !== challenge) return refuse('LINK_CODE_INVALID')
    return { body: { serviceUserId: link.id } }
  }

  createSession(
    app: App,
    link: Link,
    origin: 'none' | 'listed' | 'other',
  ): { code?: ErrorCode; session?: WidgetSession } {
    if (origin === 'other') return refuse('ORIGIN_NOT_ALLOWED')
    if (link.app !== app || link.endedBy) return refuse('USER_NOT_FOUND')
    const session = { link, ...this.#expiring(SESSION, limits.SESSION_SECONDS) }
    this.sessions.push(session)
    return { session }
  }

  readSession(session: WidgetSession): Answer {
    if (!this.isOpen(session)) return refuse('SESSION_EXPIRED')
    const { firstName, email } = session.link.person
    const maskedEmail = `${email[0]}…${email.slice(email.indexOf('@'))}`
    return { body: { user: { firstName, lastName: 'Example', maskedEmail } } }
  }

  /** A request about a top-up that is refused anyway. */
  payIn(session: WidgetSession, code: ErrorCode): Answer {
    return refuse(this.isOpen(session) ? code : 'SESSION_EXPIRED')
  }

  readWallet(app: App, link: Link): Answer {
    return link.app === app && !link.endedBy ? { body: {} } : refuse('USER_NOT_FOUND')
  }

  operate(about: Omit<Operation, 'atMs'>): Answer {
    const { app, link } = about
    if (link.app !== app || link.endedBy) return refuse('USER_NOT_FOUND')
    this.operations.push({ ...about, atMs: this.nowMs })
    return { body: {} }
  }

  // The pages at /account.

  verifySignUp(browser: Browser, ticket: Ticket | undefined, code: string): Answer {
    const kinds: TicketKind[] = ['signUp', 'signUpAtAccount']
    if (!ticket || !this.#redeem(ticket, code, kinds)) return refuse('CODE_INVALID')
    if (ticket.app) return refuse('CODE_INVALID')
    const person = this.#createAccount(ticket)
    return person ? this.#enter(browser, person).answer : refuse('CODE_INVALID')
  }

  logInToAccount(browser: Browser, email: string, password: string): Answer {
    const { known, network } = browser
    const caller = known && sameMailbox(known.email, email) ? `device ${known.number}` : network
    const checked = this.#checkPassword(email, password, caller)
    if ('code' in checked) return checked
    const { answer, isKnown } = this.#enter(browser, checked)
    if (!isKnown) this.#notify(checked, 'new login')
    return answer
  }

  /** The person who is logged in in this browser. The request renews the login. */
  admit({ logIn }: Browser): Person | undefined {
    if (logIn === undefined || !this.isLoggedIn(logIn)) return undefined
    if (this.nowMs > logIn.lastSeenMs + RENEWAL_MS) logIn.lastSeenMs = this.nowMs
    return logIn.person
  }

  #admitted(browser: Browser, act: (person: Person, logIn: LogIn) => Answer): Answer {
    const person = this.admit(browser)
    return person ? act(person, browser.logIn as LogIn) : refuse('LOGIN_REQUIRED')
  }

  /** The password is asked again, and its attempts are counted for this login. */
  #confirmed(browser: Browser, password: string, act: (person: Person, logIn: LogIn) => Answer) {
    return this.#admitted(browser, (person, logIn) => {
      const caller = `login ${this.logIns.indexOf(logIn)}`
      const checked = this.#checkPassword(person.email, password, caller)
      return 'code' in checked ? checked : act(person, logIn)
    })
  }

  readAccount(browser: Browser): Answer {
    return this.#admitted(browser, (person) => {
      const { firstName, email } = person
      return { body: { firstName, lastName: 'Example', email } }
    })
  }

  rename(browser: Browser, firstName: string): Answer {
    return this.#admitted(browser, (person) => {
      person.firstName = firstName
      return DONE
    })
  }

  logOut(browser: Browser): Answer {
    return this.#admitted(browser, (_, logIn) => {
      logIn.endedBy = 'logout'
      browser.logIn = undefined
      return { ...DONE, logIn: null }
    })
  }

  endLogIn(browser: Browser, other: LogIn): Answer {
    return this.#admitted(browser, (person) => {
      if (other.person === person) other.endedBy ??= 'end of a login'
      return DONE
    })
  }

  unlink(browser: Browser, app: App): Answer {
    return this.#admitted(browser, (person) => {
      if (this.#endLinks(person, 'unlink', app)) this.#notify(person, 'app unlinked')
      return DONE
    })
  }

  unlinkAll(browser: Browser): Answer {
    return this.#admitted(browser, (person) => {
      if (this.#endLinks(person, 'unlink')) this.#notify(person, 'all apps unlinked')
      return DONE
    })
  }

  changePassword(browser: Browser, password: string, newPassword: string): Answer {
    return this.#confirmed(browser, password, (person, logIn) => {
      if (newPassword === WEAK_PASSWORD) return refuse('PASSWORD_REFUSED')
      this.#setPassword(person, newPassword)
      this.#endAccess(person, 'new password', logIn)
      this.#send(person.email, 'password changed', undefined, this.#warn(person))
      return DONE
    })
  }

  changeEmail(browser: Browser, password: string, email: string): Answer {
    return this.#confirmed(browser, password, (person) => {
      const seconds = this.attempts.make(this.nowMs, 'mail', email)
      if (seconds !== undefined) return wait(seconds)
      const owner = this.personOf(email)
      const hasCode = owner === undefined || owner === person
      const ticket = this.#issue('newEmail', person, { email, hasCode })
      if (hasCode) this.#send(email, 'code', ticket.code)
      return { body: { ticket: ticket.token } }
    })
  }

  verifyNewEmail(browser: Browser, ticket: Ticket | undefined, code: string): Answer {
    return this.#admitted(browser, (person) => {
      const isRight = ticket && this.#redeem(ticket, code, ['newEmail'])
      if (!isRight || ticket.person !== person) return refuse('CODE_INVALID')
      const owner = this.personOf(ticket.email)
      if (owner && owner !== person) return refuse('CODE_INVALID')
      const { email: oldEmail, isVerified: wasVerified } = person
      person.email = ticket.email
      person.isVerified = true
      this.#endTickets(person, 'new email')
      const isOther = !sameMailbox(oldEmail, ticket.email)
      const undo = wasVerified && isOther ? this.#mailLink('undo', person, oldEmail) : undefined
      this.#send(oldEmail, 'email changed', undo)
      return DONE
    })
  }

  delete(browser: Browser, password: string): Answer {
    return this.#confirmed(browser, password, (person) => {
      const answer = this.erase(person)
      if (answer.code) return answer
      browser.logIn = undefined
      return { ...answer, logIn: null }
    })
  }

  /** Also what an operator does. */
  erase(person: Person): Answer {
    if (person.hasMoney) return refuse('ACCOUNT_NOT_EMPTY')
    this.#endLinks(person, 'erasure')
    this.#endAccess(person, 'erasure')
    for (const link of this.mailLinks) if (link.person === person) link.endedBy ??= 'erasure'
    person.isErased = true
    return DONE
  }

  // The links in emails.

  reset(browser: Browser, ticket: Ticket | undefined, password: string): Answer {
    const person = ticket?.person
    if (!person || ticket.kind !== 'reset' || !this.isLive(ticket)) return refuse('CODE_INVALID')
    if (password === WEAK_PASSWORD) return refuse('PASSWORD_REFUSED')
    return this.#takeBack(browser, person, password, 'reset')
  }

  undo(browser: Browser, link: MailLink | undefined, password: string): Answer {
    if (link?.kind !== 'undo' || !this.isLive(link)) return refuse('CODE_INVALID')
    if (password === WEAK_PASSWORD) return refuse('PASSWORD_REFUSED')
    const { person, email } = link
    const owner = this.personOf(email)
    if (owner && owner !== person) return refuse('EMAIL_TAKEN')
    const ofPerson = this.mailLinks.filter((each) => each.kind === 'undo' && each.person === person)
    // Newer links belong to addresses that this one takes back.
    for (const each of ofPerson.slice(ofPerson.indexOf(link))) each.endedBy ??= 'undo'
    this.#send(person.email, 'email restored')
    person.email = email
    return this.#takeBack(browser, person, password, 'undo')
  }

  secure(link: MailLink | undefined): Answer {
    if (link?.kind !== 'warning' || !this.isLive(link)) return refuse('CODE_INVALID')
    link.endedBy = 'use'
    this.#setPassword(link.person, null)
    this.#endAccess(link.person, 'secure')
    this.#endLinks(link.person, 'secure')
    return DONE
  }

  // What several of them do.

  /** Whoever reads the mailbox gets a new password and a new login, and everything else ends. */
  #takeBack(browser: Browser, person: Person, password: string, why: End): Answer {
    this.#setPassword(person, password)
    person.isVerified = true
    this.#endAccess(person, why)
    this.attempts.clear('log-in', person.email, browser.network)
    this.#notify(person, 'password reset')
    return this.#enter(browser, person).answer
  }

  #next(): number {
    return ++this.#order
  }

  #expiring(form: RegExp, seconds: number) {
    return {
      token: new Token(form),
      expiresMs: this.nowMs + seconds * SECOND_MS,
      endedBy: undefined,
    }
  }

  #issue(
    kind: TicketKind,
    person: Person | undefined,
    about: Partial<SignUpForm> & { app?: App | undefined; hasCode?: boolean },
  ): Ticket {
    const { app, challenge, email = '', password = '', hasCode = false } = about
    const minutes = kind === 'reset' ? limits.RESET_LINK_MINUTES : limits.TICKET_MINUTES
    const code = hasCode ? new Token(CODE) : undefined
    const of = { kind, person, app, challenge, email, password, code, tries: 0 }
    const ticket = { ...of, ...this.#expiring(TICKET, minutes * 60) }
    this.tickets.push(ticket)
    return ticket
  }

  /** A right code uses up its ticket, whatever follows. */
  #redeem(ticket: Ticket, code: string, kinds: readonly TicketKind[]): boolean {
    const { kind, tries } = ticket
    if (!kinds.includes(kind) || !this.isLive(ticket) || tries >= limits.CODE_TRIES_MAX)
      return false
    ticket.tries++
    if (ticket.code?.value !== code) return false
    ticket.endedBy = 'use'
    return true
  }

  #createAccount({ email, password }: Ticket): Person | undefined {
    if (this.personOf(email)) return undefined
    return this.addPerson({ email, password, isVerified: true, hasMoney: false })
  }

  #checkPassword(email: string, password: string, caller: string): Person | Refusal {
    const seconds = this.attempts.make(this.nowMs, 'log-in', email, caller)
    if (seconds !== undefined) return wait(seconds)
    const person = this.personOf(email)
    if (person === undefined || person.password !== password) return refuse('LOGIN_FAILED')
    this.attempts.clear('log-in', email, caller)
    return person
  }

  /** Starts a login, which ends the browser's previous one. */
  #enter(browser: Browser, person: Person): { answer: Answer; isKnown: boolean } {
    if (browser.logIn) browser.logIn.endedBy ??= 'login'
    const { device } = browser
    const of = { person, device, id: new Token(UUID), lastSeenMs: this.nowMs }
    const logIn: LogIn = { ...of, ...this.#expiring(COOKIE, LOG_IN_MS / SECOND_MS) }
    this.logIns.push(logIn)
    browser.logIn = logIn
    const { known } = browser
    const isKnown =
      known !== undefined &&
      sameMailbox(known.email, person.email) &&
      known.issued >= person.passwordChanged
    const number = this.#next()
    if (!isKnown) browser.known = { number, email: person.email, issued: number }
    return { answer: { ...DONE, logIn }, isKnown }
  }

  /** Agreeing again keeps the link and its id. */
  #link(app: App, person: Person): Link {
    const found = this.linkOf(app, person)
    const now = this.#next()
    const link = found ?? {
      app,
      person,
      id: new Token(SERVICE_USER_ID),
      createdMs: this.nowMs,
      created: now,
      agreed: now,
      endedBy: undefined,
    }
    link.agreed = now
    if (found === undefined) {
      this.links.push(link)
      this.events.get(app)?.push({ type: 'link.created', link, reason: undefined })
    }
    return link
  }

  #showLink(link: Link, challenge: string | undefined): Answer {
    const body = { step: 'linked', serviceUserId: link.id }
    if (challenge === undefined) return { body }
    const code = { link, challenge, ...this.#expiring(LINK_CODE, limits.LINK_CODE_SECONDS) }
    this.linkCodes.push(code)
    return { body: { ...body, linkCode: code.token } }
  }

  #endLinks(person: Person, why: End, app?: App): boolean {
    const live = this.links.filter(
      (each) => each.person === person && !each.endedBy && (app === undefined || each.app === app),
    )
    for (const link of live) {
      link.endedBy = why
      const reason = why === 'erasure' ? 'erasure' : 'user'
      this.events.get(link.app)?.push({ type: 'link.ended', link, reason })
    }
    return live.length > 0
  }

  #endTickets(person: Person, why: End) {
    for (const ticket of this.tickets) if (ticket.person === person) ticket.endedBy ??= why
  }

  /** Everything that somebody who knew the password can have started, except links. */
  #endAccess(person: Person, why: End, kept?: LogIn) {
    this.#endTickets(person, why)
    for (const code of this.linkCodes) if (code.link.person === person) code.endedBy ??= why
    for (const session of this.sessions) if (session.link.person === person) session.endedBy ??= why
    for (const logIn of this.logIns) {
      if (logIn.person === person && logIn !== kept) logIn.endedBy ??= why
    }
  }

  #setPassword(person: Person, password: string | null) {
    person.password = password
    person.passwordChanged = this.#next()
  }

  #mailLink(kind: MailLink['kind'], person: Person, email: string): Token {
    const days = kind === 'undo' ? limits.UNDO_LINK_DAYS : limits.WARNING_LINK_DAYS
    const link = { kind, person, email, ...this.#expiring(TICKET, (days * DAY_MS) / SECOND_MS) }
    this.mailLinks.push(link)
    return link.token
  }

  /** An address that nobody verified may be somebody else's mailbox. */
  #warn(person: Person): Token | undefined {
    return person.isVerified ? this.#mailLink('warning', person, person.email) : undefined
  }

  /** Somebody who repeats what it reports cannot flood the mailbox. */
  #notify(person: Person, kind: MailKind) {
    if (this.attempts.make(this.nowMs, 'notice', person.email) !== undefined) return
    this.#send(person.email, kind, undefined, this.#warn(person))
  }

  #send(to: string, kind: MailKind, token?: Token, warning?: Token) {
    this.mails.push({ to, kind, token, warning })
  }
}
