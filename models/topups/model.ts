/** What the service must do with top-ups: one person at a time, no SQL, no concurrency, and a processor without HTTP. */
import { AutomaticTopups } from './automatic.ts'
import {
  isCancelable,
  Lost,
  Processor,
  Refused,
  ROUTE,
  type Intent,
  type SavedCard,
} from './processor.ts'
import {
  DAY_MS,
  HOUR_MS,
  isOneOf,
  LIMITS,
  refuse,
  type Answer,
  type Entry,
  type Person,
  type ProcessorEvent,
  type Refund,
  type ReportedBy,
  type Topup,
} from './state.ts'

/** Failed payments of one person within an hour. */
const FAILURES_MAX = 5
/** How many open payments are checked before the limit per day refuses another one. */
const UNPAID_CHECKED_MAX = 5
/** No payment takes longer. */
const OPEN_MAX_MS = 30 * DAY_MS
/** A payment is open for a day. */
const FAILING_MAX_MS = 3 * DAY_MS
/** How many open top-ups a round of the sweeper checks. */
const CHECKS_AT_ONCE = 5

const ABANDONED = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const

export class Model {
  readonly processor = new Processor()
  readonly people: Person[] = []
  readonly topups: Topup[] = []
  readonly events: ProcessorEvent[] = []
  readonly automatic = new AutomaticTopups(this)
  nowMs: number
  freezesOnDispute = false
  /** The bank does not decide at once. */
  isSlow = false

  constructor(nowMs: number) {
    this.nowMs = nowMs
  }

  addPerson(): Person {
    const person: Person = {
      index: this.people.length,
      balance: 0,
      debt: 0,
      unclaimed: 0,
      unclaimedTimes: 0,
      isActive: true,
      isDeleted: false,
      areLinksEnded: false,
      hasCustomer: false,
      cards: [],
      automatic: null,
      entries: [],
      sessionsSinceMs: this.nowMs,
      logInSinceMs: this.nowMs,
    }
    this.people.push(person)
    return person
  }

  /** Starts a top-up. `app` null: at /account. */
  create(
    person: Person,
    app: number | null,
    amount: number,
    card: SavedCard | 'save' | 'unknown' | null,
  ): Answer {
    if (amount < LIMITS.min || amount > LIMITS.max) return refuse('INVALID_AMOUNT')
    if (!person.isActive) return refuse('WALLET_INACTIVE')
    return this.#answer(() => {
      if (card === 'save' && !person.hasCustomer) {
        this.processor.call(ROUTE.createCustomer, () => undefined)
        person.hasCustomer = true
      }
      const isSaved = card !== null && card !== 'save'
      if (isSaved && !this.hasCard(person, card)) return refuse('CARD_NOT_FOUND')
      const saved = card !== null && card !== 'save' && card !== 'unknown' ? card : null
      const refusal = this.#limit(person, app, amount)
      if (refusal) return refusal
      const topup = this.record(person, {
        app,
        amount,
        saved,
        saves: card === 'save',
        isAutomatic: false,
      })
      this.requestIntent(topup)
      return { status: 200, topup }
    })
  }

  /** Whether the person may pay with this card. Reads the cards from the processor. */
  hasCard(person: Person, card: SavedCard | 'unknown'): boolean {
    if (!person.hasCustomer) return false
    this.processor.call(ROUTE.listCards, () => undefined)
    return card !== 'unknown' && person.cards.includes(card) && !card.isGone
  }

  /** Before the limit per day refuses, payments that nobody is making are canceled: of the five oldest open ones. */
  #limit(person: Person, app: number | null, amount: number): Answer | undefined {
    const refusal = this.limitOf(person, app, amount)
    if (refusal?.code !== 'TOPUP_LIMIT_EXCEEDED') return refusal
    for (const topup of this.openOf(person).slice(0, UNPAID_CHECKED_MAX)) {
      if (!topup.isBound || topup.intent?.status !== 'requires_payment_method') continue
      this.processor.call(ROUTE.cancel, () => this.processor.cancel(topup.intent as Intent))
      this.end(topup)
    }
    return this.limitOf(person, app, amount)
  }

  limitOf(person: Person, app: number | null, amount: number): Answer | undefined {
    const own = this.topups.filter((topup) => topup.person === person)
    const recent = own.filter((each) => each.app === app && each.createdMs > this.nowMs - HOUR_MS)
    const first = recent.at(-LIMITS.perHour)
    if (first) return refuse('RATE_LIMITED', first.createdMs + HOUR_MS - this.nowMs)
    const failures = this.#failuresOf(person)
    if (failures.length >= FAILURES_MAX) {
      return refuse('RATE_LIMITED', Math.max(...failures) + HOUR_MS - this.nowMs)
    }
    const counted = own.filter(
      ({ state, createdMs, endedMs }) =>
        (state === 'open' && createdMs > this.nowMs - OPEN_MAX_MS) ||
        (state === 'credited' && (endedMs ?? 0) > this.nowMs - DAY_MS),
    )
    const total = counted.reduce((sum, each) => sum + each.amount, 0)
    return total + amount > LIMITS.perDay ? refuse('TOPUP_LIMIT_EXCEEDED') : undefined
  }

  /** All failures of a top-up count until an hour after its last one. Older top-ups can no longer be paid. */
  #failuresOf(person: Person): number[] {
    const failing = this.topups.filter(
      (topup) =>
        topup.person === person &&
        topup.createdMs > this.nowMs - FAILING_MAX_MS &&
        (topup.failedMs.at(-1) ?? -Infinity) > this.nowMs - HOUR_MS,
    )
    return failing.flatMap(({ failedMs }) => failedMs)
  }

  record(
    person: Person,
    about: Pick<Topup, 'app' | 'amount' | 'saved' | 'saves' | 'isAutomatic'>,
  ): Topup {
    const topup: Topup = {
      ...about,
      index: this.topups.length,
      person,
      state: 'open',
      intent: null,
      isBound: false,
      createdMs: this.nowMs,
      endedMs: null,
      reportedBy: null,
      nextCheckMs: this.nowMs + 10_000,
      checks: 0,
      failedMs: [],
      refunds: [],
      disputeStatus: null,
      terms: about.isAutomatic ? person.automatic : null,
    }
    this.topups.push(topup)
    return topup
  }

  /** The top-up's id is the idempotency key: a repeated call returns the same intent. */
  requestIntent(topup: Topup): Intent {
    const { amount, saved, saves } = topup
    const intent = this.processor.call(ROUTE.createIntent, () => {
      topup.intent ??= this.processor.createIntent(amount, saved, saves)
      return topup.intent
    })
    topup.isBound = true
    return intent
  }

  /** The window asks whether a payment arrived. */
  confirm(person: Person, app: number | null, topup: Topup): Answer {
    const isOwn = topup.person === person && topup.app === app && topup.isBound
    if (!isOwn) return refuse('PAYMENT_INTENT_NOT_FOUND')
    return this.#answer(() => {
      if (topup.state !== 'credited') this.creditIfPaid(topup, 'page')
      const status = statusOf(topup)
      if (status === 'failed') return refuse('PAYMENT_FAILED')
      return {
        status: 200,
        body: { status, balance: person.balance / 100, amount: topup.amount / 100 },
      }
    })
  }

  /** The one place that credits a payment: reads it from the processor and credits it once. Returns whether it is paid. */
  creditIfPaid(topup: Topup, by: ReportedBy): boolean {
    const intent = this.processor.call(ROUTE.readIntent, () => topup.intent as Intent)
    topup.isBound = true
    if (intent.status === 'canceled') {
      if (topup.isAutomatic) this.automatic.endFailed(topup, intent)
      else this.end(topup)
    }
    if (intent.status !== 'succeeded') return false
    if (topup.state === 'credited') return true
    this.post(topup.person, 'topup', topup.amount, `pay ${topup.index}`)
    Object.assign(topup, { state: 'credited', endedMs: this.nowMs, reportedBy: by })
    if (topup.isAutomatic && topup.person.automatic) topup.person.automatic.failures = 0
    return true
  }

  /** A credited top-up stays credited. */
  end(topup: Topup) {
    if (topup.state === 'credited') return
    Object.assign(topup, { state: 'ended', endedMs: this.nowMs, reportedBy: null })
  }

  openOf(person: Person): Topup[] {
    return this.topups.filter((topup) => topup.person === person && topup.state === 'open')
  }

  /** Each movement once. Incoming money pays debt first; a seizure takes the balance, and the rest becomes debt. */
  post(person: Person, kind: Entry['kind'], amount: number, key: string): boolean {
    if (person.entries.some((entry) => entry.kind === kind && entry.key === key)) return true
    const isOut = kind === 'debit' || kind === 'card_refund' || kind === 'seizure'
    if (isOut && kind !== 'seizure' && amount > person.balance) return false
    const net = person.balance - person.debt + (isOut ? -amount : amount)
    person.entries.push({ kind, amount, key })
    person.balance = Math.max(net, 0)
    person.debt = Math.max(-net, 0)
    if (!person.isDeleted) return true
    // Nobody can use this wallet any more.
    if (person.balance > 0) person.unclaimedTimes++
    person.unclaimed += person.balance
    person.balance = 0
    return true
  }

  /** A client app takes money. */
  debit(person: Person, amount: number, key: string): Answer {
    if (person.areLinksEnded) return refuse('USER_NOT_FOUND')
    if (!person.isActive) return refuse('WALLET_INACTIVE')
    if (!this.post(person, 'debit', amount, key)) return refuse('INSUFFICIENT_BALANCE')
    return { status: 200, body: { balance: person.balance / 100 } }
  }

  /** An event is a hint: whatever it is about is read from the processor and applied in its current state. */
  receive(event: ProcessorEvent, by: ReportedBy): Answer {
    if (event.isDone || !event.isKnown) return { status: 200 }
    return this.#answer(() => {
      this.#apply(event, by)
      event.isDone = true
      return { status: 200 }
    })
  }

  #apply({ type, topup }: ProcessorEvent, by: ReportedBy) {
    if (type === 'payment_intent.payment_failed') this.#countFailure(topup, by)
    else if (type.startsWith('charge.dispute.')) this.#applyDispute(topup, by)
    else if (type.startsWith('refund.') || type === 'charge.refunded') this.#applyRefunds(topup, by)
    else this.creditIfPaid(topup, by)
  }

  /** Somebody may be testing stolen cards. */
  #countFailure(topup: Topup, by: ReportedBy) {
    const { person } = topup
    topup.failedMs.push(this.nowMs)
    if (this.#failuresOf(person).length < FAILURES_MAX) return
    for (const open of this.openOf(person)) {
      if (!open.isBound || !open.intent) continue
      if (isCancelable(open.intent)) {
        this.processor.cancel(open.intent)
        this.end(open)
      } else this.creditIfPaid(open, by)
    }
  }

  #applyDispute(topup: Topup, by: ReportedBy) {
    const dispute = this.processor.call(ROUTE.readDispute, () => topup.intent?.dispute)
    if (!dispute || !this.creditIfPaid(topup, by)) return
    const { person } = topup
    const key = `dispute ${topup.index}`
    const isKnown = person.entries.some((entry) => entry.kind === 'seizure' && entry.key === key)
    if (dispute.isWithdrawn && !isKnown) {
      if (this.freezesOnDispute) person.isActive = false
      this.post(person, 'seizure', dispute.amount, key)
    }
    if (dispute.isReinstated) this.post(person, 'reversal', dispute.amount, key)
    topup.disputeStatus = dispute.status
  }

  #applyRefunds(topup: Topup, by: ReportedBy) {
    if (!this.creditIfPaid(topup, by)) return
    const sent = this.processor.call(ROUTE.listRefunds, () => topup.intent?.refunds ?? [])
    for (const { key, amount, status, isOurs } of sent) {
      const known = topup.refunds.find((refund) => refund.key === key)
      if (isOurs && known) this.#record(known, status)
      else if (!isOurs) this.#applyProcessorRefund(topup, key, amount, status === 'failed')
    }
  }

  /** The money has left the processor already, so it leaves the wallet. */
  #applyProcessorRefund(topup: Topup, key: string, amount: number, isBack: boolean) {
    this.post(topup.person, 'seizure', amount, key)
    if (isBack) this.post(topup.person, 'reversal', amount, key)
    let refund = topup.refunds.find((each) => each.key === key)
    if (!refund) {
      refund = {
        topup,
        key,
        amount,
        state: 'sent',
        isMadeAtProcessor: true,
        nextCheckMs: 0,
        checks: 0,
      }
      topup.refunds.push(refund)
    }
    refund.state = isBack ? 'released' : 'sent'
  }

  /** An operator returns a part of a top-up to the card. A repeat with the same key is the same refund. */
  refund(topup: Topup, key: string, amount: number): Answer {
    if (amount <= 0 || topup.state !== 'credited') return refuse('INVALID_AMOUNT')
    const known = this.topups.flatMap(({ refunds }) => refunds).find((each) => each.key === key)
    if (known && (known.topup !== topup || known.amount !== amount))
      return refuse('INVALID_REQUEST')
    if (known?.state === 'refused') return refuse('INSUFFICIENT_BALANCE')
    if (!known && amount > refundableOf(topup)) return refuse('INVALID_AMOUNT')
    const state = 'reserved' as const
    const started: Refund = known ?? {
      topup,
      key,
      amount,
      state,
      isMadeAtProcessor: false,
      checks: 0,
      nextCheckMs: 0,
    }
    if (!known) {
      started.nextCheckMs = this.nowMs + 30_000
      topup.refunds.push(started)
      if (!this.post(topup.person, 'card_refund', amount, key)) {
        started.state = 'refused'
        return refuse('INSUFFICIENT_BALANCE')
      }
    }
    try {
      if (known?.state === 'reserved') this.resume(started)
      else if (!known) this.#send(started)
    } catch (error) {
      if (!(error instanceof Lost)) throw error
    }
    return { status: 200, body: { state: started.state } }
  }

  resume(refund: Refund) {
    const intent = refund.topup.intent as Intent
    const sent = this.processor.call(ROUTE.listRefunds, () => intent.refunds)
    const known = sent.find(({ key }) => key === refund.key)
    if (known) this.#record(refund, known.status)
    else this.#send(refund)
  }

  #send(refund: Refund) {
    const { topup, key, amount } = refund
    const intent = topup.intent as Intent
    try {
      const send = () => this.processor.refund(intent, key, amount, true)
      this.#record(refund, this.processor.call(ROUTE.createRefund, send).status)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#record(refund, 'failed')
    }
  }

  #record(refund: Refund, status: 'succeeded' | 'pending' | 'failed') {
    if (status === 'failed') this.post(refund.topup.person, 'reversal', refund.amount, refund.key)
    if (refund.state === 'reserved' || refund.state === 'sent') {
      refund.state = status === 'failed' ? 'released' : 'sent'
    }
  }

  /** `readCanceled`: which payments a refused deletion had canceled before it met one that is paid. */
  deletePerson(person: Person, readCanceled: (topup: Topup) => boolean): Answer {
    if (person.balance !== 0 || person.debt !== 0) return refuse('ACCOUNT_NOT_EMPTY')
    person.areLinksEnded = true
    person.automatic = null
    return this.#answer(() => {
      if (!this.#cancelAll(person, readCanceled)) return refuse('ACCOUNT_NOT_EMPTY')
      const own = this.topups.filter((topup) => topup.person === person)
      const isPending = own.some(({ refunds }) => refunds.some(({ state }) => state === 'reserved'))
      if (isPending) return refuse('ACCOUNT_NOT_EMPTY')
      person.isDeleted = true
      return { status: 200 }
    })
  }

  #cancelAll(person: Person, readCanceled: (topup: Topup) => boolean): boolean {
    const open = this.openOf(person)
    const isStopped = open.some(({ intent }) => intent && !isCancelable(intent))
    for (const topup of open) {
      const isPaid = topup.intent && !isCancelable(topup.intent)
      if (isStopped && !isPaid && !readCanceled(topup)) continue
      try {
        const intent = topup.isBound ? (topup.intent as Intent) : this.requestIntent(topup)
        this.processor.call(ROUTE.cancel, () => this.processor.cancel(intent))
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (isPaid) continue
      }
      this.end(topup)
    }
    return !isStopped
  }

  /** The automatic top-up ends with the password, and with it every session and login. */
  resetPassword(person: Person) {
    person.automatic = null
    person.sessionsSinceMs = this.nowMs
  }

  removeCard(person: Person, card: SavedCard): Answer {
    return this.#answer(() => {
      if (!this.hasCard(person, card)) return { status: 200 }
      const copies = person.cards.filter((each) => each.card === card.card && !each.isGone)
      const { automatic } = person
      if (automatic && copies.includes(automatic.card)) automatic.suspendedFor = 'card'
      for (const copy of copies) {
        this.processor.call(ROUTE.detach, () => {
          Object.assign(copy, { isGone: true, isDefault: false })
        })
      }
      return { status: 200 }
    })
  }

  chooseCard(person: Person, card: SavedCard | 'unknown'): Answer {
    return this.#answer(() => {
      if (!this.hasCard(person, card)) return refuse('CARD_NOT_FOUND')
      this.processor.call(ROUTE.updateCustomer, () => {
        for (const each of person.cards) each.isDefault = each === card
      })
      return { status: 200 }
    })
  }

  /** The job that finds what nothing else reported. `isPollDue`: some steps are at most every ten seconds. */
  sweep(isPollDue: boolean) {
    if (isPollDue) this.#pollEvents()
    const due = this.topups.filter(
      ({ state, nextCheckMs }) => state === 'open' && nextCheckMs <= this.nowMs,
    )
    due.sort((a, b) => a.nextCheckMs - b.nextCheckMs)
    for (const topup of due.slice(0, CHECKS_AT_ONCE)) {
      topup.nextCheckMs = this.nowMs + Math.min(6 * HOUR_MS, 10_000 * 2 ** topup.checks++)
      this.unlessLost(() => this.#check(topup))
    }
    for (const person of this.people) this.unlessLost(() => this.automatic.start(person))
    if (isPollDue) this.#finishRefunds()
    if (isPollDue) this.unlessLost(() => this.#eraseCustomers())
  }

  /** How many open top-ups the next round would check. */
  countDue(): number {
    return this.openDue().length
  }

  openDue(): Topup[] {
    return this.topups.filter(
      ({ state, nextCheckMs }) => state === 'open' && nextCheckMs <= this.nowMs,
    )
  }

  #pollEvents() {
    if (this.processor.fault?.route === ROUTE.listEvents) return
    for (const event of this.events) this.receive(event, 'sweeper')
  }

  #check(topup: Topup) {
    const isOld = topup.createdMs <= this.nowMs - DAY_MS
    // Nobody ever got this payment, so nobody can pay it.
    if (!topup.isBound && isOld) return this.end(topup)
    if (topup.isAutomatic) return this.automatic.charge(topup, isOld)
    if (!topup.isBound && !this.#findIntent(topup)) return
    this.creditIfPaid(topup, 'sweeper')
    const intent = topup.intent as Intent
    if (!isOld || !isOneOf(ABANDONED, intent.status)) return
    this.processor.call(ROUTE.cancel, () => this.processor.cancel(intent))
    this.end(topup)
  }

  /** False: the saved card was removed before there was a payment. */
  #findIntent(topup: Topup): boolean {
    try {
      this.requestIntent(topup)
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.end(topup)
      return false
    }
  }

  #finishRefunds() {
    for (const refund of this.topups.flatMap(({ refunds }) => refunds)) {
      if (refund.state !== 'reserved' || refund.nextCheckMs > this.nowMs) continue
      refund.nextCheckMs = this.nowMs + Math.min(6 * HOUR_MS, 30_000 * 2 ** refund.checks++)
      this.unlessLost(() => this.resume(refund))
    }
  }

  #eraseCustomers() {
    for (const person of this.people) {
      if (!person.isDeleted || !person.hasCustomer || this.openOf(person).length > 0) continue
      this.processor.call(ROUTE.deleteCustomer, () => {
        for (const card of person.cards) card.isGone = true
      })
      person.hasCustomer = false
    }
  }

  unlessLost(act: () => void) {
    try {
      act()
    } catch (error) {
      if (!(error instanceof Lost)) throw error
    }
  }

  #answer(act: () => Answer): Answer {
    try {
      return act()
    } catch (error) {
      if (error instanceof Lost) return refuse('PAYMENT_PROVIDER_ERROR')
      throw error
    }
  }

  /** For the parts of the model that answer requests. */
  answer(act: () => Answer): Answer {
    return this.#answer(act)
  }
}

export function refundableOf({ state, amount, refunds }: Topup): number {
  if (state !== 'credited') return 0
  const kept = refunds.filter((refund) => refund.state === 'reserved' || refund.state === 'sent')
  return Math.max(0, amount - kept.reduce((sum, refund) => sum + refund.amount, 0))
}

function statusOf({ state, intent }: Topup) {
  if (state === 'credited') return 'succeeded'
  const status = intent?.status
  if (status === 'processing') return 'processing'
  return status === 'requires_action' || status === 'requires_confirmation'
    ? 'requires_action'
    : 'failed'
}
