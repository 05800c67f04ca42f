/** What each reader must see of the model: the expected items of the endpoints that read. */
import type { Model } from './model.ts'
import { UNITS } from './spend-limit.ts'
import {
  CURRENCY,
  idOf,
  referenceOf,
  timeOf,
  timeOfDecision,
  toMajor,
  type App,
  type Decision,
  type Entry,
  type Wallet,
} from './state.ts'

const SOURCES: Record<Entry['kind'], string> = {
  debit: 'other_app',
  credit: 'other_app',
  refund: 'other_app',
  hold: 'hold',
  capture: 'hold',
  release: 'hold',
  expiry: 'hold',
  topup: 'topup',
  card_refund: 'topup',
  seizure: 'dispute',
  reversal: 'dispute',
  bonus: 'bonus',
  correction_in: 'correction',
  correction_out: 'correction',
}
const OUTGOING: readonly Entry['kind'][] = [
  'debit',
  'hold',
  'card_refund',
  'seizure',
  'correction_out',
]

export function isOutgoing({ kind }: Entry): boolean {
  return OUTGOING.includes(kind)
}

/** A capture that returns nothing changes no balance; apps and statements do not list it. */
export function isShown({ kind, change }: Entry): boolean {
  return kind !== 'capture' || change !== 0
}

/** In the filter of the person's history. */
export function sourceOf({ kind }: Entry): string {
  return SOURCES[kind].replace('other_app', 'app')
}

/** An expiry is an operation of the service. */
function makerOf({ kind, app }: Entry): App | undefined {
  return kind === 'expiry' ? undefined : app
}

/** The service derives the reference of an expiry from its hold. */
function showReference({ referenceType, referenceId }: Entry) {
  return {
    referenceType,
    referenceId: referenceId.startsWith('hex ') ? { $: referenceId } : referenceId,
  }
}

function showMoney(entry: Entry) {
  return {
    type: isOutgoing(entry) ? 'debit' : 'credit',
    amount: toMajor(Math.abs(entry.change)),
    balanceAfter: toMajor(entry.balanceAfter),
    currency: CURRENCY,
    createdAt: timeOf(entry),
  }
}

/** In the history of a wallet, as an app reads it. */
export function showToApp(entry: Entry, app: App) {
  const isOwn = makerOf(entry) === app
  const { target, kind, description } = entry
  const nothing = { referenceType: null, referenceId: null, description: null }
  return {
    ...showMoney(entry),
    ...(isOwn ? { ...referenceOf(entry), description } : nothing),
    id: idOf(entry, app),
    source: isOwn && SOURCES[kind] === 'other_app' ? 'this_app' : SOURCES[kind],
    ...(isOwn && kind === 'refund' && target?.entry && { refundOf: idOf(target.entry, app) }),
  }
}

/** A statement leaves out what happened later. */
export function showInStatement(entry: Entry) {
  const { kind, description, app } = entry
  const about = { description, source: SOURCES[kind], app: app?.name ?? null }
  return { ...showMoney(entry), ...showReference(entry), ...about, id: idOf(entry, 'person') }
}

export function showToPerson(entry: Entry) {
  const { target, kind, decision } = entry
  const refunded = kind === 'debit' || kind === 'capture' ? (decision?.refunded ?? 0) : 0
  return {
    ...showInStatement(entry),
    ...(kind === 'refund' && target?.entry && { refundOf: idOf(target.entry, 'person') }),
    ...(refunded > 0 && { refunded: toMajor(refunded) }),
  }
}

export function showToOperator(entry: Entry) {
  const maker = makerOf(entry)
  const { reason } = entry
  const grant = { reason, proposedBy: { $: 'any operator' }, secondOperator: null, charge: null }
  return {
    ...showToPerson(entry),
    kind: entry.kind,
    debtChange: toMajor(entry.debtChange),
    appTransactionId: maker ? idOf(entry, maker) : null,
    grant: reason === undefined ? null : grant,
  }
}

/** In the operators' list of all operations. */
export function showInList(entry: Entry, person: object) {
  const { type, amount, createdAt } = showMoney(entry)
  const maker = makerOf(entry)
  return {
    ...showReference(entry),
    type,
    amount,
    createdAt,
    person,
    id: idOf(entry, 'person'),
    kind: entry.kind,
    debtChange: toMajor(entry.debtChange),
    clientApp: maker ? { clientId: maker.clientId, name: maker.name } : null,
  }
}

/** A closed wallet has no texts. */
function showMetadata({ request, wallet, refusal }: Decision) {
  const metadata = request?.metadata
  const isStored = Object.keys(metadata ?? {}).length > 0 && !wallet.isClosed
  return isStored && refusal !== 'WALLET_CLOSED' ? { metadata } : {}
}

/** The response to a look-up of a reference. */
export function showDecision(decision: Decision) {
  const { type, app, amount, entry, refusal, target, refunded, isBalanceHidden } = decision
  const isRefunded = (type === 'debit' || type === 'capture') && refunded > 0
  return {
    ...referenceOf(decision),
    ...showMetadata(decision),
    status: entry ? 'posted' : 'refused',
    type: ['debit', 'hold', 'capture'].includes(type) ? 'debit' : 'credit',
    amount: toMajor(amount),
    currency: CURRENCY,
    serviceUserId: decision.link.serviceUserId,
    balance: entry && !isBalanceHidden ? toMajor(decision.balance) : null,
    transactionId: entry ? idOf(entry, app) : null,
    code: refusal,
    createdAt: timeOfDecision(decision),
    ...(type === 'refund' && target?.entry && { refundOf: idOf(target.entry, app) }),
    ...(isRefunded && { refunded: toMajor(refunded), refundable: toMajor(amount - refunded) }),
  }
}

/** In an app's own list and export. */
export function showListed(decision: Decision & { entry: Entry }) {
  const { type, app, amount, entry, target } = decision
  const name = type === 'refund' ? 'refundOf' : 'holdOf'
  return {
    ...referenceOf(decision),
    ...showMetadata(decision),
    type,
    amount: toMajor(amount),
    currency: CURRENCY,
    description: entry.description,
    serviceUserId: decision.link.serviceUserId,
    transactionId: idOf(entry, app),
    ...(target?.entry && { [name]: idOf(target.entry, app) }),
    createdAt: timeOf(entry),
  }
}

export function stateOf(model: Model, hold: Decision): string {
  const states = { capture: 'captured', release: 'released', expiry: 'expired' }
  if (hold.closedBy !== null) return states[hold.closedBy]
  return model.isDue(hold) ? 'expired' : 'open'
}

export function showHold(model: Model, hold: Decision & { entry: Entry }) {
  const state = stateOf(model, hold)
  const createdAt = timeOf(hold.entry)
  return {
    ...referenceOf(hold),
    state,
    amount: toMajor(hold.amount),
    captured: toMajor(hold.captured),
    held: toMajor(state === 'open' ? hold.remaining : 0),
    currency: CURRENCY,
    serviceUserId: hold.link.serviceUserId,
    createdAt,
    expiresAt: { ...createdAt, plusMs: 1000 * hold.seconds },
  }
}

/** The response of check-balance. Holds whose time is over count as balance. */
export function showSpendable(model: Model, app: App, wallet: Wallet, requiredMinor: number) {
  const balance = balanceNow(model, wallet)
  const spendable = Math.min(balance, model.limitLeft(app, wallet) ?? Infinity)
  return {
    balance: toMajor(balance),
    spendable: toMajor(spendable),
    requiredAmount: toMajor(requiredMinor),
    hasSufficientBalance: balance >= requiredMinor,
    currency: CURRENCY,
  }
}

/** With the holds whose time is over. */
export function balanceNow(model: Model, wallet: Wallet): number {
  const due = model.dueHolds(wallet).reduce((sum, each) => sum + each.remaining, 0)
  return wallet.balance + Math.max(0, due - wallet.debt)
}

export function showLimit(model: Model, app: App, wallet: Wallet) {
  const limit = wallet.limits.get(app)
  if (limit === undefined) return null
  const { singleMax, dayMax, weekMax, monthMax, lastDay = null, timeZone } = limit.terms
  const show = (max: number | undefined) => (max === undefined ? null : toMajor(max))
  const [day, week, month] = UNITS.map((unit) => toMajor(model.spent(app, wallet, unit)))
  return {
    singleMax: show(singleMax),
    dayMax: show(dayMax),
    weekMax: show(weekMax),
    monthMax: show(monthMax),
    daySpent: day,
    weekSpent: week,
    monthSpent: month,
    lastDay,
    timeZone,
  }
}
