/**
 * The reference model of money: what the contract promises about operations, in the simplest data structures. It knows
 * no batches, locks, digests, caches or SQL.
 */
import type { ErrorCode } from '@coffer/contract/errors'
import { Accounts } from './accounts.ts'
import { ENDPOINTS, refuse, refuseAmount, showDecided, showRepeat } from './responses.ts'
import {
  BALANCE_MAX,
  keyOf,
  parseAmount,
  type Answer,
  type App,
  type Decision,
  type Link,
  type OwnKind,
  type Reference,
  type Request,
  type Type,
  type Wallet,
} from './state.ts'

export const HOLD_SECONDS_DEFAULT = 7 * 24 * 60 * 60
/** A pause lasts minutes. */
const PAUSE_RETRY_SECONDS = 30

/** A request, and what it is about. */
interface Intended {
  app: App
  request: Request
  wallet: Wallet
  /** undefined: everything that is left. */
  minor: number | undefined
  target: Decision | undefined
}

interface Change {
  balance: number
  debt: number
  held: number
}

export class Model extends Accounts {
  /** Whether an operator has paused all writes. */
  isPaused = false
  /** Whose writes an operator has paused. */
  pausedApp: App | undefined
  #count = 0

  /** A copy that can be tried out. */
  override clone(): Model {
    const copy = new Model()
    this.copyTo(copy)
    copy.isPaused = this.isPaused
    copy.pausedApp = this.pausedApp && copy.apps[this.pausedApp.index]
    copy.#count = this.#count
    return copy
  }

  /** Executes the request of a client app, or repeats its outcome. */
  execute(app: App, request: Request, isRestricted = false): Answer {
    const { type } = request
    const endpoint = ENDPOINTS[type]
    if (isRestricted && !mayRestricted(app, type)) return refuse(endpoint, 'SECRET_RESTRICTED')
    const minor = request.amount === undefined ? undefined : parseAmount(request.amount)
    const needsUser = takesUser(type)
    if ((needsUser || request.amount !== undefined) && !minor) return refuseAmount(endpoint)
    const known = app.decisions.get(keyOf(request))
    const link = this.links.find(
      (each) => each.app === app && each.serviceUserId === request.serviceUserId,
    )
    const target = needsUser ? undefined : this.#findTarget(app, request)
    const wallet = needsUser ? link?.wallet : target?.wallet
    if (known) return this.#repeat(known, request, minor, wallet, target)
    if (needsUser && !link?.isLive) return refuse(endpoint, 'USER_NOT_FOUND')
    if (wallet === undefined) return refuse(endpoint, 'OPERATION_NOT_FOUND')
    if (this.isPaused || this.pausedApp === app)
      return refuse(endpoint, 'SERVICE_UNAVAILABLE', PAUSE_RETRY_SECONDS)
    const isSuspended = target?.isSuspended === true && !this.isDue(target)
    // Nothing is recorded, whatever the amount.
    if (type === 'capture' && isSuspended && target.remaining > 0)
      return refuse(endpoint, 'HOLD_SUSPENDED')
    return showDecided(type, this.decide({ app, request, wallet, minor, target }))
  }

  /** On which wallet a request can be executed; undefined: its user or target is unknown. */
  findWallet(app: App, request: Request): Wallet | undefined {
    if (!takesUser(request.type)) return this.#findTarget(app, request)?.wallet
    const isNamed = ({ app: linked, serviceUserId, isLive }: Link) =>
      linked === app && isLive && serviceUserId === request.serviceUserId
    return this.links.find(isNamed)?.wallet
  }

  #findTarget(app: App, { type, debit, hold }: Request): Decision | undefined {
    const reference = type === 'refund' ? debit : hold
    const named = reference && app.decisions.get(keyOf(reference))
    const fits = type === 'refund' ? ['debit', 'capture'] : ['hold']
    return named && fits.includes(named.type) ? named : undefined
  }

  #repeat(
    known: Decision,
    request: Request,
    minor: number | undefined,
    wallet: Wallet | undefined,
    target: Decision | undefined,
  ): Answer {
    const { type } = request
    const isOfHold = (each: Type) => each === 'capture' || each === 'release'
    const differs: string[] = []
    const isOmitted = minor === undefined
    if (known.isAmountOmitted !== isOmitted || (!isOmitted && known.amount !== minor))
      differs.push('amount')
    if (known.type === 'refund' && type === 'refund') {
      if (known.target !== target) differs.push('debit')
    } else if (isOfHold(known.type) && isOfHold(type)) {
      if (known.target !== target) differs.push('hold')
    } else if (known.wallet !== wallet) differs.push('serviceUserId')
    const seconds = request.expiresInSeconds ?? HOLD_SECONDS_DEFAULT
    if (known.type === 'hold' && type === 'hold' && known.seconds !== seconds)
      differs.push('expiresInSeconds')
    const isFinal = request.isFinal ?? true
    if (isOfHold(known.type) && isOfHold(type) && known.isFinal !== isFinal) differs.push('isFinal')
    if (known.type !== type) differs.push('direction')
    if (differs.length > 0) known.attempts.push({ type, amount: minor ?? 0, differs, wallet })
    return showRepeat(type, known, differs)
  }

  /** Decides a new reference. The decision is final. */
  decide({ app, request, wallet, minor, target }: Intended): Decision {
    this.bookDueHolds(wallet)
    const { type } = request
    const before = leftOf(type, target)
    const amount = minor ?? before
    const decision: Decision = {
      ...this.newDecision(app, wallet, type, request),
      request,
      amount,
      target,
      isAmountOmitted: minor === undefined,
      isFinal: request.isFinal ?? true,
      seconds: request.expiresInSeconds ?? HOLD_SECONDS_DEFAULT,
      refusal: this.#findRefusal(app, type, wallet, amount, target, before),
      isBalanceHidden: target !== undefined && this.liveLink(app, wallet) === undefined,
      left: before,
    }
    app.decisions.set(keyOf(request), decision)
    if (decision.refusal === null) this.#post(decision, before, request.description ?? null)
    return decision
  }

  newDecision(app: App, wallet: Wallet, type: Type, reference: Reference): Decision {
    // The id that the user had at that time: the newest one.
    const link = this.links.findLast((each) => each.app === app && each.wallet === wallet)
    if (link === undefined) throw new Error('only an app with a link has decisions')
    const { referenceType, referenceId } = reference
    const about = { type, app, wallet, link, referenceType, referenceId, request: undefined }
    const given = { amount: 0, isAmountOmitted: true, isFinal: true, seconds: HOLD_SECONDS_DEFAULT }
    const sums = { balance: 0, left: 0, released: 0, refunded: 0, taken: 0, captured: 0 }
    const open = { remaining: 0, isSuspended: false, closedBy: null, entry: undefined }
    const result = { target: undefined, refusal: null, isBalanceHidden: false, attempts: [] }
    return { id: ++this.#count, atMs: this.nowMs, ...about, ...given, ...sums, ...open, ...result }
  }

  #post(decision: Decision, before: number, description: string | null) {
    const { app, wallet, type, amount, target, isFinal } = decision
    if (type === 'release') decision.released = amount
    if (type === 'capture' && isFinal) decision.released = before - amount
    const { released } = decision
    if (type === 'refund' && target) {
      target.refunded += amount
      decision.left = before - amount
      ;(target.target ?? target).taken -= amount
    }
    if ((type === 'capture' || type === 'release') && target) {
      decision.left = before - released - (type === 'capture' ? amount : 0)
      target.remaining = decision.left
      target.taken -= released
      if (type === 'capture') target.captured += amount
      if (decision.left === 0) target.closedBy = type
    }
    if (type === 'debit' || type === 'hold') decision.taken = amount
    if (type === 'hold') decision.remaining = amount
    const changes: Record<Type, Change> = {
      debit: { balance: -amount, debt: 0, held: 0 },
      credit: { balance: amount, debt: 0, held: 0 },
      refund: { ...payDebt(wallet, amount), held: 0 },
      hold: { balance: -amount, debt: 0, held: amount },
      capture: { ...payDebt(wallet, released), held: -amount - released },
      release: { ...payDebt(wallet, amount), held: -amount },
    }
    const owed = { debit: 1, capture: 1, credit: -1, refund: -1, hold: 0, release: 0 }
    app.owed += owed[type] * amount
    const about = { app, decision, target, description }
    decision.entry = this.addEntry(wallet, type, changes[type], decision, about)
    decision.balance = wallet.balance
  }

  #findRefusal(
    app: App,
    type: Type,
    wallet: Wallet,
    amount: number,
    target: Decision | undefined,
    left: number,
  ): ErrorCode | null {
    if (type === 'refund' && wallet.isClosed) return 'WALLET_CLOSED'
    if (type === 'refund' && (left === 0 || amount > left)) return 'REFUND_EXCEEDS_DEBIT'
    if (type === 'capture' || type === 'release') {
      if (target?.closedBy === 'expiry') return 'HOLD_EXPIRED'
      if (left === 0) return 'HOLD_CLOSED'
      return amount > left ? 'CAPTURE_EXCEEDS_HOLD' : null
    }
    if (type === 'debit' || type === 'hold') {
      if (!wallet.isActive) return 'WALLET_INACTIVE'
      if (amount > (this.limitLeft(app, wallet) ?? Infinity)) return 'SPEND_LIMIT_EXCEEDED'
      return amount > wallet.balance ? 'INSUFFICIENT_BALANCE' : null
    }
    if (amount > (this.creditLeft(app) ?? Infinity)) return 'CREDIT_LIMIT_EXCEEDED'
    const rest = type === 'refund' ? payDebt(wallet, amount).balance : amount
    return wallet.balance + wallet.held + rest > BALANCE_MAX ? 'BALANCE_LIMIT' : null
  }

  /** An operator ends a hold. It is a release in the scope of the app. */
  releaseForApp(hold: Decision, reference: Reference): ErrorCode | number {
    const { app, wallet } = hold
    if (hold.closedBy === 'expiry') return 'HOLD_EXPIRED'
    if (hold.remaining === 0) return 'HOLD_CLOSED'
    this.bookDueHolds(wallet)
    const before = hold.remaining
    const decision = {
      ...this.newDecision(app, wallet, 'release', reference),
      amount: before,
      target: hold,
      left: before,
      isBalanceHidden: true,
      refusal: before === 0 ? ('HOLD_EXPIRED' as const) : null,
    }
    app.decisions.set(keyOf(reference), decision)
    if (decision.refusal) return decision.refusal
    this.#post(decision, before, null)
    return wallet.balance
  }

  /** What the service posts itself: top-ups, disputes, bonuses and corrections. */
  postOwn(
    wallet: Wallet,
    kind: OwnKind,
    amount: number,
    reference: Reference,
    reason?: string,
  ): ErrorCode | number {
    this.bookDueHolds(wallet)
    const isOut = kind === 'correction_out' || kind === 'card_refund'
    if (isOut && amount > wallet.balance) return 'INSUFFICIENT_BALANCE'
    const seized = Math.min(wallet.balance, amount)
    const changes: Record<OwnKind, Omit<Change, 'held'>> = {
      topup: payDebt(wallet, amount),
      card_refund: { balance: -amount, debt: 0 },
      reversal: payDebt(wallet, amount),
      bonus: { balance: amount, debt: 0 },
      correction_in: { balance: amount, debt: 0 },
      correction_out: { balance: -amount, debt: 0 },
      seizure: { balance: -seized, debt: amount - seized },
    }
    const change = { ...changes[kind], held: 0 }
    if (wallet.balance + wallet.held + Math.max(0, change.balance) > BALANCE_MAX)
      return 'BALANCE_LIMIT'
    this.addEntry(wallet, kind, change, reference, { reason })
    return wallet.balance
  }

  /** Holds whose time is over are booked before the next new operation on their wallet. */
  bookDueHolds(wallet: Wallet) {
    for (const due of this.dueHolds(wallet)) {
      const { app, remaining: amount } = due
      due.remaining = 0
      due.taken -= amount
      due.closedBy = 'expiry'
      const expiry = { referenceType: 'HOLD_EXPIRY', referenceId: `hex ${app.index} ${due.id}` }
      const change = { ...payDebt(wallet, amount), held: -amount }
      this.addEntry(wallet, 'expiry', change, expiry, { app, target: due })
      this.addExpired(due, amount)
    }
  }
}

export function takesUser(type: Type): boolean {
  return type === 'debit' || type === 'credit' || type === 'hold'
}

/** Whether the restricted secret of an app has the scope for an operation. */
export function mayRestricted({ secretScopes }: App, type: Type): boolean {
  return (ENDPOINTS[type].secretScopes ?? []).some((each) => secretScopes.includes(each))
}

/** How much of a debit can be refunded, or of a hold captured. */
export function leftOf(type: Type, target: Decision | undefined): number {
  if (target === undefined || target.refusal) return 0
  return type === 'refund' ? target.amount - target.refunded : target.remaining
}

function payDebt({ debt }: Wallet, amount: number): Omit<Change, 'held'> {
  const paid = Math.min(debt, amount)
  return { balance: amount - paid, debt: -paid }
}
