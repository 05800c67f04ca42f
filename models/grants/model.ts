/** What operators can do, without a database: who may act, how operators are related, and what the audit log says. */
import type { ErrorCode } from '@coffer/contract/errors'
import type { Role } from '@coffer/contract/admin/endpoint'
import { mayCall, RULES, type EndpointName } from './roles.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** In minor units. */
export const THRESHOLD = 100_00
export const BALANCE_MAX = 999_999_999_999_999

export interface LogIn {
  startedMs: number
  seenMs: number
  confirmedMs: number
}

export interface Operator {
  /** Of the service. */
  id: string
  email: string
  role: Role
  isActive: boolean
  /** Operators are named by their position in the list. */
  createdBy: number | null
  resetBy: number[]
  hasAuthenticator: boolean
  hasPasskey: boolean
  /** null: the operator's browser is logged out. */
  logIn: LogIn | null
}

export interface Entry {
  kind: 'bonus' | 'correction_in' | 'correction_out' | 'hold' | 'release' | 'expiry'
  amount: number
  /** The position of the grant that made it. */
  grant: number | null
}

export interface Person {
  id: string
  balance: number
  held: number
  isFrozen: boolean
  isErased: boolean
  /** Whether an app is linked now. */
  isLinked: boolean
  /** Oldest first. */
  history: Entry[]
}

export interface Hold {
  id: string
  person: number
  amount: number
  expiresMs: number
  state: 'open' | 'released' | 'expired'
}

export interface Settings {
  name: string
  scopes: string[]
  allowedOrigins: string[]
  allowedIframeParents: string[]
  contactEmails: string[]
}

export interface Webhook {
  id: string
  url: string
  isEnabled: boolean
}

export interface App {
  clientId: string
  settings: Settings
  isActive: boolean
  isInUse: boolean
  pause: Pause | null
  /** null: unlimited. */
  creditLimit: number | null
  /** When each secret ends, oldest first; null: it does not end by itself. */
  secrets: { id: string; endsMs: number | null }[]
  webhooks: Webhook[]
}

export interface Pause {
  by: string
  reason: string
}

/** What waits for a second operator once an app is in use. */
export interface AppChange {
  scopes?: string[]
  allowedOrigins?: string[]
  allowedIframeParents?: string[]
  contactEmails?: string[]
  rotation?: Overlap
  webhookUrl?: string
}
export type Overlap = 'none' | '1h' | '24h' | '7d'

export type MoneyKind = 'bonus' | 'correction_in' | 'correction_out'

export interface Grant {
  /** Empty until the driver knows it, if the service chose it. */
  id: string
  kind: MoneyKind | 'hold_release' | 'credit_limit' | 'app_change'
  person: number | null
  app: number | null
  hold: number | null
  /** null: to unlimited, or not about money. */
  amount: number | null
  /** Of a credit limit; null: unlimited. */
  creditLimit: number | null
  change: AppChange | null
  reason: string
  proposer: number
  needsSecond: boolean
  status: 'open' | 'approved' | 'posted' | 'refused' | 'rejected' | 'withdrawn'
  second: number | null
  decidedMs: number | null
  declinedBecause: string | null
  /** What the ledger did, also if the service did not learn it. */
  executed: { refusal: ErrorCode | null; balance: number | null } | null
  /** Of an approved rotation or URL: whether its proposer used it. */
  isUsed: boolean
  /** The command that proposed it. */
  step: number
}

export interface AuditEntry {
  actor: string
  action: string
  subject: string | null
  /** What the entry says, at least. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  step: number
}

export interface State {
  nowMs: number
  /** The number of the command. */
  step: number
  operators: Operator[]
  people: Person[]
  holds: Hold[]
  apps: App[]
  grants: Grant[]
  pause: Pause | null
  audit: AuditEntry[]
  /** Of each contact of an app that an approval changed, since the driver looked. */
  notified: string[]
  /** Of two requests at the same time: whether both were checked before one of them was executed. */
  areCheckedTogether: boolean
}

export type Answer = { code: ErrorCode; field?: string } | { body: Record<string, unknown> }

export const DONE: Answer = { body: {} }

export function refuse(code: ErrorCode, field?: string): Answer {
  return { code, ...(field !== undefined && { field }) }
}

export function newState(): State {
  return {
    nowMs: 0,
    step: 0,
    operators: [],
    people: [],
    holds: [],
    apps: [],
    grants: [],
    pause: null,
    audit: [],
    notified: [],
    areCheckedTogether: false,
  }
}

/** The item at a position that a command names; any number names one. */
export function pick<Item>(items: readonly Item[], position: number): Item | undefined {
  return items.length === 0 ? undefined : items[position % items.length]
}

/** For positions that the model itself stored. */
export function at<Item>(items: readonly Item[], position: number): Item {
  const item = items[position]
  if (item === undefined) throw new RangeError(`There is no item ${position}.`)
  return item
}

export const operatorAt = ({ operators }: State, who: number) => at(operators, who)
export const emailOf = (state: State, who: number) => operatorAt(state, who).email
export const personSubject = ({ id }: Person) => `person/${id}`

export function toText(minor: number): string {
  return (minor / 100).toFixed(2)
}

export function toWire(minor: number): number {
  return minor / 100
}

// The login of an operator

const IDLE_MS = 15 * MINUTE_MS
/** The time of the last request is stored at most once a minute. */
const SEEN_EVERY_MS = MINUTE_MS
const LOG_IN_MS = 8 * HOUR_MS
const CONFIRMED_MS = 5 * MINUTE_MS

export function isLoggedIn({ nowMs }: State, { isActive, logIn }: Operator): boolean {
  if (logIn === null || !isActive) return false
  return nowMs < logIn.seenMs + IDLE_MS && nowMs < logIn.startedMs + LOG_IN_MS
}

export function isConfirmed({ nowMs }: State, { logIn }: Operator): boolean {
  return logIn !== null && nowMs < logIn.confirmedMs + CONFIRMED_MS
}

/** Logging in confirms, too. */
export function startLogIn(state: State, who: number) {
  const { nowMs } = state
  operatorAt(state, who).logIn = { startedMs: nowMs, seenMs: nowMs, confirmedMs: nowMs }
}

/** The checks before every call, in their order; undefined: the call may go on. */
export function admit(state: State, who: number, name: EndpointName): Answer | undefined {
  const operator = operatorAt(state, who)
  const { logIn: session } = operator
  if (session === null || !isLoggedIn(state, operator)) return refuse('LOGIN_REQUIRED')
  session.seenMs = state.nowMs
  const rule = RULES[name]
  if (!mayCall(operator.role, rule)) return refuse('OPERATOR_FORBIDDEN')
  if (rule.needsConfirmation && !isConfirmed(state, operator))
    return refuse('CONFIRMATION_REQUIRED')
  return undefined
}

export function record(
  state: State,
  actor: number | 'service',
  action: string,
  subject: string | null,
  facts: Pick<AuditEntry, 'before' | 'after'> = {},
) {
  const email = actor === 'service' ? actor : emailOf(state, actor)
  state.audit.push({ actor: email, action, subject, step: state.step, ...facts })
}

// How operators are related

/** Everybody whom this person can act as: those whom they created or reset, and whom those created or reset. */
function controlledBy(operators: readonly Operator[], person: number): Set<number> {
  const reached = new Set([person])
  for (let size = 0; size !== reached.size;) {
    size = reached.size
    for (const [index, { createdBy, resetBy }] of operators.entries()) {
      const makers = createdBy === null ? resetBy : [createdBy, ...resetBy]
      if (makers.some((maker) => reached.has(maker))) reached.add(index)
    }
  }
  return reached
}

/** Who could act both as the one and as the other. */
export function controllersOf({ operators }: State, one: number, other: number): number[] {
  return [...operators.keys()].filter((person) => {
    const controlled = controlledBy(operators, person)
    return controlled.has(one) && controlled.has(other)
  })
}

export function areRelated(state: State, one: number, other: number): boolean {
  return controllersOf(state, one, other).length > 0
}

export function mayGrant({ isActive, role }: Operator): boolean {
  return isActive && role !== 'viewer'
}

/** The emails of the operators who can approve what this operator proposes. */
export function approversFor(state: State, proposer: number): string[] {
  return [...state.operators.entries()]
    .filter(([index, each]) => mayGrant(each) && !areRelated(state, index, proposer))
    .map(([, { email }]) => email)
}

// Operators create and change operators

export function createOperator(
  state: State,
  who: number,
  { email, role }: Pick<Operator, 'email' | 'role'>,
): Answer {
  const isTaken = state.operators.some((each) => each.email === email.toLowerCase())
  if (isTaken) return refuse('EMAIL_TAKEN')
  const nobody = { hasAuthenticator: false, hasPasskey: false, logIn: null }
  const common = { isActive: true, createdBy: who, resetBy: [] }
  state.operators.push({ id: '', email, role, ...common, ...nobody })
  record(state, who, 'operator.create', email, { after: { role, isActive: true } })
  return { body: { id: /^\d+$/, password: /^[\w-]{20}$/ } }
}

export interface OperatorChange {
  role?: Role
  isActive?: boolean
  resetAuthenticator?: true
}

/** A relation never ends, so the reset is remembered. */
export function changeOperator(
  state: State,
  who: number,
  target: number,
  change: OperatorChange,
): Answer {
  const operator = operatorAt(state, target)
  const { role = operator.role, isActive = operator.isActive, resetAuthenticator } = change
  const others = state.operators.filter(
    (each) => each !== operator && each.isActive && each.role === 'owner',
  )
  if (others.length === 0 && !(isActive && role === 'owner')) return refuse('OPERATOR_FORBIDDEN')
  const shown = (each: Operator) => ({
    role: each.role,
    isActive: each.isActive,
    hasAuthenticator: each.hasAuthenticator,
  })
  const before = shown(operator)
  Object.assign(operator, { role, isActive })
  if (resetAuthenticator) {
    Object.assign(operator, { hasAuthenticator: false, hasPasskey: false })
    if (target !== who && !operator.resetBy.includes(who)) operator.resetBy.push(who)
  }
  if (resetAuthenticator || !isActive) operator.logIn = null
  record(state, who, 'operator.change', operator.email, { before, after: shown(operator) })
  return DONE
}

// Wallets and the pause

export function freezeWallet(
  state: State,
  who: number,
  personAt: number,
  isFrozen: boolean,
  reason: string,
): Answer {
  const person = at(state.people, personAt)
  if (person.isFrozen === isFrozen) return DONE
  person.isFrozen = isFrozen
  const facts = { before: { isFrozen: !isFrozen }, after: { isFrozen, reason } }
  const action = isFrozen ? 'wallet.freeze' : 'wallet.unfreeze'
  record(state, who, action, personSubject(person), facts)
  return DONE
}

/** Pauses all writes, or those of one app. */
export function setPause(
  state: State,
  who: number,
  target: { pause: Pause | null; clientId?: string },
  reason: string | null,
): Answer {
  const by = emailOf(state, who)
  const shown = () => ({ isPaused: target.pause !== null, reason: target.pause?.reason ?? null })
  const before = shown()
  target.pause = reason === null ? null : { by, reason }
  const isApp = target.clientId !== undefined
  const action = isApp ? 'client_app.pause' : 'writes.pause'
  const subject = target.clientId ?? 'all writes'
  record(state, who, action, subject, { before, after: shown() })
  return DONE
}

// Time

/** The longest real time that a plan may take. The clock of the service is then this much ahead of the model's. */
export const DRIFT_MS = 20_000

/** The times at which the model cannot know whether something has ended, because real time passes, too. */
function unclearTimes(state: State): [fromMs: number, toMs: number][] {
  const ends: [fromMs: number, toMs: number][] = []
  const add = (ms: number, width = DRIFT_MS) => ends.push([ms - width, ms])
  for (const { logIn: session } of state.operators) {
    if (session === null) continue
    add(session.seenMs + IDLE_MS, SEEN_EVERY_MS + DRIFT_MS)
    add(session.startedMs + LOG_IN_MS)
    add(session.confirmedMs + CONFIRMED_MS)
  }
  for (const { decidedMs } of state.grants) if (decidedMs !== null) add(decidedMs + DAY_MS)
  for (const hold of state.holds) if (hold.state === 'open') add(hold.expiresMs)
  for (const { secrets } of state.apps)
    for (const { endsMs } of secrets) if (endsMs !== null) add(endsMs)
  return ends
}

/** Passes time, and more of it if something might or might not have ended then. */
export function passTime(state: State, ms: number) {
  state.nowMs += ms
  for (;;) {
    const { nowMs } = state
    const unclear = unclearTimes(state).find(([fromMs, toMs]) => nowMs > fromMs && nowMs <= toMs)
    if (unclear === undefined) return
    state.nowMs = unclear[1] + 1_000
  }
}

/** How long until right before or right after the next end of something. */
export function untilNextEnd(state: State, side: 'before' | 'after'): number {
  const waits = unclearTimes(state).map(([fromMs, toMs]) =>
    side === 'before' ? fromMs - state.nowMs : toMs + 1_000 - state.nowMs,
  )
  return Math.min(...waits.filter((ms) => ms > 0), DAY_MS)
}
