/** Grants: what one operator may do alone, and what a second one decides. Amounts are in minor units. */
import type { ErrorCode } from '@coffer/contract/errors'
import { isDeepStrictEqual } from 'node:util'
import {
  areRelated,
  approversFor,
  at,
  BALANCE_MAX,
  DAY_MS,
  DONE,
  emailOf,
  mayGrant,
  operatorAt,
  personSubject,
  record,
  refuse,
  THRESHOLD,
  toText,
  toWire,
  type Answer,
  type App,
  type AppChange,
  type Grant,
  type Hold,
  type MoneyKind,
  type State,
} from './model.ts'
import { takeChange, takenBy } from './settings.ts'

/** The answer of the ledger is lost before or after it did the work. */
export type Loss = 'before' | 'after' | null

// What one operator may do alone

/** What the operator may still give, take or raise alone; negative if they have too little left for everything. */
export function leftFor(state: State, who: number): number {
  let left = THRESHOLD
  for (const { needsSecond, status, proposer, amount, decidedMs, step } of state.grants) {
    // The other one of two at the same time counts until the ledger has refused it.
    const isRefusedLater = state.areCheckedTogether && status === 'refused' && step === state.step
    const counts = !needsSecond && (status === 'approved' || status === 'posted' || isRefusedLater)
    const isRecent = decidedMs !== null && decidedMs + DAY_MS > state.nowMs
    if (counts && isRecent && areRelated(state, proposer, who)) left -= amount ?? 0
  }
  return left
}

/** `fields` must name whom it is about. */
export function addGrant(
  state: State,
  fields: Pick<Grant, 'kind' | 'reason' | 'proposer' | 'needsSecond'> & Partial<Grant>,
): Grant {
  const { nowMs, step } = state
  const nobody = { id: '', person: null, app: null, hold: null, second: null }
  const nothing = { amount: null, creditLimit: null, change: null, declinedBecause: null }
  const grant: Grant = {
    ...nobody,
    ...nothing,
    status: fields.needsSecond ? 'open' : 'approved',
    decidedMs: fields.needsSecond ? null : nowMs,
    executed: null,
    isUsed: false,
    step,
    ...fields,
  }
  state.grants.push(grant)
  return grant
}

// Bonuses, corrections and releases of holds

export interface Proposal {
  id: string
  person: number
  kind: MoneyKind
  /** null: not an amount. */
  amount: number | null
  reason: string
}

export function proposeGrant(state: State, who: number, given: Proposal, loss: Loss): Answer {
  const { amount } = given
  if (amount === null || amount <= 0) return refuse('INVALID_AMOUNT')
  return storeGrant(state, who, { ...given, amount, hold: null }, loss)
}

export interface ReleaseProposal {
  id: string
  person: number
  hold: number
  reason: string
}

export function releaseHold(state: State, who: number, given: ReleaseProposal, loss: Loss): Answer {
  const hold = at(state.holds, given.hold)
  if (hold.person !== given.person) return refuse('NOT_FOUND')
  return storeGrant(state, who, { ...given, kind: 'hold_release', amount: hold.amount }, loss)
}

type Stored = Pick<Grant, 'id' | 'kind' | 'reason' | 'hold'> & { person: number; amount: number }

function storeGrant(state: State, who: number, given: Stored, loss: Loss): Answer {
  const known = state.grants.find(({ id }) => id === given.id)
  if (known === undefined && state.pause !== null) return refuse('SERVICE_UNAVAILABLE')
  if (known !== undefined) {
    const isSame =
      known.proposer === who &&
      (['kind', 'person', 'hold', 'amount', 'reason'] as const).every(
        (name) => known[name] === given[name],
      )
    return isSame ? showOutcome(state, who, known, loss) : refuse('INVALID_REQUEST', 'id')
  }
  const ended = given.hold === null ? undefined : endOf(state, given.hold)
  // A release that was recorded before the hold ended is refused afterwards.
  if (ended !== undefined && !state.areCheckedTogether) return refuse(ended)
  const person = at(state.people, given.person)
  if (person.isErased) return refuse('NOT_FOUND')
  const { id, kind, amount, reason } = given
  const needsSecond = amount > leftFor(state, who)
  const grant = addGrant(state, { ...given, proposer: who, needsSecond })
  const after = { grant: id, kind, amount: toText(amount), reason }
  record(state, who, 'grant.propose', personSubject(person), {
    after: { ...after, needsSecondOperator: needsSecond },
  })
  return showOutcome(state, who, grant, loss)
}

/** Why nothing can be released; undefined: the books still hold something. */
function endOf({ holds }: State, hold: number): ErrorCode | undefined {
  const { state } = at(holds, hold)
  if (state === 'open') return undefined
  return state === 'expired' ? 'HOLD_EXPIRED' : 'HOLD_CLOSED'
}

/** What the caller gets. A decided grant is posted, and a repeat gets the same outcome. */
function showOutcome(state: State, who: number, grant: Grant, loss: Loss): Answer {
  const { status } = grant
  const outcome = (shown: Grant['status'], balance: number | null, approvers: string[] = []) => ({
    body: { status: shown, balance, currency: 'USD', approvers },
  })
  if (status === 'open') return outcome('open', null, approversFor(state, grant.proposer))
  if (status === 'rejected' || status === 'withdrawn') return outcome(status, null)
  if (grant.person === null) return outcome('posted', null)
  const executed = loss === 'before' ? null : execute(state, grant)
  if (executed === null || loss !== null) return refuse('OUTCOME_UNKNOWN')
  storeDecision(state, who, grant)
  const { refusal, balance } = executed
  return refusal === null
    ? outcome('posted', balance === null ? null : toWire(balance))
    : refuse(refusal)
}

/** The ledger executes a grant once; null: not while writes are paused. */
function execute(state: State, grant: Grant): Grant['executed'] {
  if (grant.executed !== null) return grant.executed
  if (state.pause !== null) return null
  const person = at(state.people, grant.person ?? -1)
  bookEnds(state, grant.person ?? -1)
  const refusal = grant.hold === null ? moveMoney(state, grant) : endHold(state, grant)
  grant.executed = { refusal, balance: refusal === null ? person.balance : null }
  return grant.executed
}

function moveMoney(state: State, grant: Grant): ErrorCode | null {
  const { kind, amount } = grant as Grant & { kind: MoneyKind; amount: number }
  const person = at(state.people, grant.person ?? -1)
  const change = kind === 'correction_out' ? -amount : amount
  if (person.isErased) return 'WALLET_CLOSED'
  if (person.balance + change < 0) return 'INSUFFICIENT_BALANCE'
  // Held money can come back at any time.
  if (person.balance + person.held + change > BALANCE_MAX) return 'BALANCE_LIMIT'
  person.balance += change
  person.history.push({ kind, amount: change, grant: state.grants.indexOf(grant) })
  return null
}

function endHold(state: State, grant: Grant): ErrorCode | null {
  const index = grant.hold ?? -1
  const ended = endOf(state, index)
  if (ended !== undefined) return ended
  returnHeld(state, index, 'release')
  return null
}

export function placeHold(state: State, hold: Omit<Hold, 'state'>) {
  const person = at(state.people, hold.person)
  bookEnds(state, hold.person)
  state.holds.push({ ...hold, state: 'open' })
  person.balance -= hold.amount
  person.held += hold.amount
  person.history.push({ kind: 'hold', amount: -hold.amount, grant: null })
}

export function returnHeld(state: State, index: number, kind: 'release' | 'expiry') {
  const hold = at(state.holds, index)
  const person = at(state.people, hold.person)
  hold.state = kind === 'release' ? 'released' : 'expired'
  person.held -= hold.amount
  person.balance += hold.amount
  // The history says only of bonuses and corrections who made them.
  person.history.push({ kind, amount: hold.amount, grant: null })
}

/** Before the ledger works on a wallet, it books the ends of its holds whose time is over. */
export function bookEnds(state: State, person: number) {
  for (const [index, hold] of state.holds.entries()) {
    const isDue = hold.state === 'open' && hold.expiresMs <= state.nowMs
    if (hold.person === person && isDue) returnHeld(state, index, 'expiry')
  }
}

/** The job that does the same for wallets that nobody uses. */
export function expireHolds(state: State) {
  if (state.pause !== null) return
  for (const person of state.people.keys()) bookEnds(state, person)
}

/** Stores what the ledger did. */
function storeDecision(state: State, actor: number | 'service', grant: Grant) {
  if (grant.status !== 'approved' || grant.executed === null) return
  const { refusal } = grant.executed
  grant.status = refusal === null ? 'posted' : 'refused'
  if (refusal === null) return
  const person = at(state.people, grant.person ?? -1)
  record(state, actor, 'grant.refuse', personSubject(person), {
    before: { status: 'approved' },
    after: { grant: grant.id, status: 'refused', refusal },
  })
}

/** Decided, but the service does not know yet what the ledger did. */
export function isUnfinished({ status }: Pick<Grant, 'status'>): boolean {
  return status === 'approved'
}

/** The job that finishes what was interrupted. */
export function finishGrants(state: State) {
  for (const grant of state.grants.filter(isUnfinished)) {
    execute(state, grant)
    storeDecision(state, 'service', grant)
  }
}

/** A wallet without money whose owner is deleted. A grant that is being posted stops it, after the links have ended. */
export function erasePerson(state: State, who: number, personAt: number): Answer {
  const person = at(state.people, personAt)
  if (person.isErased) return DONE
  if (person.balance > 0 || person.held > 0) return refuse('ACCOUNT_NOT_EMPTY')
  const subject = personSubject(person)
  if (person.isLinked) record(state, who, 'person.unlink', subject)
  person.isLinked = false
  const isPosting = state.grants.some((grant) => grant.person === personAt && isUnfinished(grant))
  if (isPosting) return refuse('SERVICE_UNAVAILABLE')
  person.isErased = true
  record(state, who, 'person.erase', subject, { after: { isErased: true } })
  return DONE
}

// The second operator

export function approveGrant(state: State, who: number, grantAt: number, loss: Loss): Answer {
  const grant = at(state.grants, grantAt)
  const isMoney = grant.person !== null
  if (grant.status === 'open' && isMoney && state.pause !== null)
    return refuse('SERVICE_UNAVAILABLE')
  if (grant.status !== 'open') {
    // Whoever approved it gets the outcome again.
    const isOwn = grant.second === who && grant.status !== 'rejected'
    return isOwn ? showOutcome(state, who, grant, loss) : refuse('GRANT_DECIDED')
  }
  if (areRelated(state, who, grant.proposer)) return refuse('SECOND_OPERATOR_REQUIRED')
  if (!mayGrant(operatorAt(state, grant.proposer)) || hasLapsed(state, grant))
    return refuse('GRANT_LAPSED')
  Object.assign(grant, { status: 'approved', second: who, decidedMs: state.nowMs })
  recordDecision(state, who, grant, 'grant.approve', { approvedBy: emailOf(state, who) })
  if (!isMoney) {
    grant.status = 'posted'
    takeEffect(state, at(state.apps, grant.app ?? -1), grant)
  }
  return showOutcome(state, who, grant, loss)
}

function hasLapsed(state: State, { kind, person, app, creditLimit, change }: Grant): boolean {
  if (person !== null) return at(state.people, person).isErased
  const { creditLimit: now, isActive } = at(state.apps, app ?? -1)
  if (kind === 'credit_limit') return now === null || (creditLimit !== null && now >= creditLimit)
  return isActive && takenBy(state, app ?? -1, change?.allowedIframeParents ?? [])
}

/** The contacts learn it; contacts that were replaced and those that replace them, too. */
function takeEffect(state: State, app: App, { kind, creditLimit, change }: Grant) {
  const before = structuredClone(app.settings)
  if (kind === 'credit_limit') app.creditLimit = creditLimit
  else takeChange(app, change ?? {})
  const isChanged = kind === 'credit_limit' || !isDeepStrictEqual(before, app.settings)
  const contacts = [...before.contactEmails, ...app.settings.contactEmails]
  if (isChanged) state.notified.push(...new Set(contacts))
}

function recordDecision(
  state: State,
  who: number,
  grant: Grant,
  action: string,
  facts: Record<string, unknown>,
) {
  const { person, app, id: grantId, kind, reason, proposer, status } = grant
  const subject =
    person === null ? at(state.apps, app ?? -1).clientId : personSubject(at(state.people, person))
  const proposedBy = emailOf(state, proposer)
  const after = { grant: grantId, kind, reason, proposedBy, status, ...facts }
  record(state, who, action, subject, { before: { status: 'open' }, after })
}

export function declineGrant(state: State, who: number, grantAt: number, because: string): Answer {
  const grant = at(state.grants, grantAt)
  const isOwn = grant.proposer === who
  const status = isOwn ? 'withdrawn' : 'rejected'
  const isRepeat = grant.status === status && (isOwn || grant.second === who)
  if (isRepeat) return DONE
  if (grant.status !== 'open') return refuse('GRANT_DECIDED')
  const second = isOwn ? null : who
  Object.assign(grant, { status, second, decidedMs: state.nowMs, declinedBecause: because })
  recordDecision(state, who, grant, isOwn ? 'grant.withdraw' : 'grant.reject', { because })
  return DONE
}

// Changes of apps that wait

/** Credit limits and changes of apps: the same request by the same operator waits once. */
export function propose(
  state: State,
  who: number,
  appAt: number,
  what: { creditLimit: number | null; amount: number | null } | { change: AppChange },
  reason: string,
) {
  const kind = 'change' in what ? 'app_change' : 'credit_limit'
  const wanted = 'change' in what ? JSON.stringify(what.change) : what.creditLimit
  const isWaiting = state.grants.some(
    (each) =>
      each.status === 'open' &&
      each.kind === kind &&
      each.app === appAt &&
      each.proposer === who &&
      (kind === 'app_change' ? JSON.stringify(each.change) : each.creditLimit) === wanted,
  )
  if (isWaiting) return
  addGrant(state, { kind, reason, proposer: who, needsSecond: true, app: appAt, ...what })
  const after = { kind, needsSecondOperator: true }
  record(state, who, 'grant.propose', at(state.apps, appAt).clientId, { after })
}

/** The newest approval of such a change that its proposer can still use. */
export function findApproval(
  state: State,
  who: number,
  app: number,
  isWanted: (change: AppChange) => boolean,
): Grant | undefined {
  return state.grants
    .filter(
      ({ change, isUsed, status, decidedMs, ...each }) =>
        each.app === app &&
        each.proposer === who &&
        status === 'posted' &&
        change !== null &&
        isWanted(change) &&
        !isUsed &&
        (decidedMs ?? 0) + DAY_MS > state.nowMs,
    )
    .toSorted((one, other) => (other.decidedMs ?? 0) - (one.decidedMs ?? 0))[0]
}
