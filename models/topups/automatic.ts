/** Automatic top-ups: due while the balance is low, one at a time, once per hour, and within the month of the person. */
import {
  Refused,
  ROUTE,
  isCancelable,
  type Intent,
  type Processor,
  type SavedCard,
} from './processor.ts'
import {
  HOUR_MS,
  LIMITS,
  refuse,
  type Answer,
  type Automatic,
  type Person,
  type Topup,
} from './state.ts'

/** Hours ahead of UTC. None of them has daylight saving time. */
export const TIME_ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  'Pacific/Kiritimati': 14,
  'Pacific/Pago_Pago': -11,
}
const FAILURES_MAX = 3

export type Terms = Pick<Automatic, 'threshold' | 'amount' | 'monthMax' | 'timeZone'>

export function monthStart(nowMs: number, timeZone: string, plusMonths = 0): number {
  const aheadMs = (TIME_ZONES[timeZone] ?? 0) * HOUR_MS
  const local = new Date(nowMs + aheadMs)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + plusMonths) - aheadMs
}

/** What automatic top-ups use of the model. */
interface Topups {
  readonly processor: Processor
  readonly topups: readonly Topup[]
  readonly nowMs: number
  readonly isSlow: boolean
  answer(act: () => Answer): Answer
  end(topup: Topup): void
  hasCard(person: Person, card: SavedCard | 'unknown'): boolean
  limitOf(person: Person, app: number | null, amount: number): Answer | undefined
  record(
    person: Person,
    about: Pick<Topup, 'app' | 'amount' | 'saved' | 'saves' | 'isAutomatic'>,
  ): Topup
  requestIntent(topup: Topup): Intent
  creditIfPaid(topup: Topup, by: 'sweeper'): boolean
}

export class AutomaticTopups {
  readonly model: Topups

  constructor(model: Topups) {
    this.model = model
  }

  /** New terms apply at once, also to a charge that is open, and end a suspension. */
  set(person: Person, card: SavedCard | 'unknown', terms: Terms, isPasswordRight: boolean): Answer {
    if (!isPasswordRight) return refuse('LOGIN_FAILED')
    if (terms.amount < LIMITS.min || terms.amount > LIMITS.max) return refuse('INVALID_AMOUNT')
    if (terms.threshold === 0 || terms.monthMax < terms.amount) return refuse('INVALID_REQUEST')
    return this.model.answer(() => {
      if (card === 'unknown' || !this.model.hasCard(person, card)) {
        if (card === 'unknown' && person.hasCustomer) this.model.hasCard(person, card)
        return refuse('CARD_NOT_FOUND')
      }
      const own = this.#own(person).map(({ createdMs }) => createdMs + HOUR_MS)
      const nextTryMs = person.automatic?.nextTryMs ?? Math.max(this.model.nowMs, ...own)
      person.automatic = { ...terms, card, suspendedFor: null, failures: 0, nextTryMs }
      return { status: 200 }
    })
  }

  #own(person: Person): Topup[] {
    return this.model.topups.filter((topup) => topup.person === person && topup.isAutomatic)
  }

  #isLow({ balance, debt, isActive, automatic }: Person): boolean {
    if (!automatic || automatic.suspendedFor !== null) return false
    return balance < automatic.threshold && debt === 0 && isActive
  }

  /** Whether one more charge fits into the month of a time zone. */
  fits(person: Person, { amount, monthMax }: Automatic, timeZone: string): boolean {
    return this.#monthTotal(person, timeZone) + amount <= monthMax
  }

  /** Charges that are open or in doubt count. */
  #monthTotal(person: Person, timeZone: string): number {
    const fromMs = monthStart(this.model.nowMs, timeZone)
    const counted = this.#own(person).filter(
      ({ state, createdMs }) => state !== 'ended' && createdMs >= fromMs,
    )
    return counted.reduce((sum, { amount }) => sum + amount, 0)
  }

  /** If the month allows it. */
  isDue(person: Person): boolean {
    const nextTryMs = person.automatic?.nextTryMs ?? Infinity
    return nextTryMs <= this.model.nowMs && this.#isLow(person)
  }

  start(person: Person) {
    const { model } = this
    const { automatic } = person
    if (!automatic || !this.isDue(person)) return
    const { amount, card, timeZone } = automatic
    if (!this.fits(person, automatic, timeZone)) return
    if (this.#own(person).some(({ state }) => state === 'open')) return
    automatic.nextTryMs = model.nowMs + HOUR_MS
    if (model.limitOf(person, null, amount)) return
    const about = { app: null, amount, saved: card, saves: false, isAutomatic: true }
    this.charge(model.record(person, about), false)
  }

  /** The charge is created first and made in a second call; in between, the person may change anything. */
  charge(topup: Topup, isOld: boolean) {
    const { model } = this
    if (!topup.isBound && !this.#create(topup)) return
    model.creditIfPaid(topup, 'sweeper')
    const intent = topup.intent as Intent
    if (intent.status !== 'requires_confirmation') {
      if (isUnpaid(intent)) this.#giveUp(topup, intent, reasonOf(intent))
      return
    }
    if (isOld || !this.#isWanted(topup)) return this.#giveUp(topup, intent, null)
    const isRefused = this.#confirm(intent)
    model.creditIfPaid(topup, 'sweeper')
    if (isUnpaid(intent)) this.#giveUp(topup, intent, reasonOf(intent))
    else if (isRefused && intent.status === 'requires_confirmation')
      this.#giveUp(topup, intent, 'card')
  }

  #create(topup: Topup): boolean {
    try {
      this.model.requestIntent(topup)
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#end(topup, 'card')
      return false
    }
  }

  #isWanted({ person, terms, createdMs }: Topup): boolean {
    const { automatic } = person
    if (!automatic || automatic !== terms || !this.#isLow(person)) return false
    if (createdMs < monthStart(this.model.nowMs, automatic.timeZone)) return false
    return this.#monthTotal(person, automatic.timeZone) <= automatic.monthMax
  }

  #confirm(intent: Intent): boolean {
    const { processor, isSlow } = this.model
    try {
      processor.call(ROUTE.confirm, () => processor.chargeUnattended(intent, isSlow))
      return false
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return true
    }
  }

  #giveUp(topup: Topup, intent: Intent, reason: Automatic['suspendedFor']) {
    const { processor } = this.model
    if (!isCancelable(intent)) {
      this.model.creditIfPaid(topup, 'sweeper')
      return
    }
    processor.call(ROUTE.cancel, () => processor.cancel(intent))
    this.#end(topup, reason)
  }

  /** For a charge that was canceled. */
  endFailed(topup: Topup, intent: Intent) {
    this.#end(topup, reasonOf(intent))
  }

  /** A failure counts once. It suspends the automatic top-up if the bank requires authentication, after three declines in a row, or without a card. */
  #end(topup: Topup, reason: Automatic['suspendedFor']) {
    if (topup.state !== 'open') return
    this.model.end(topup)
    const { automatic } = topup.person
    if (reason === null || !automatic || automatic.suspendedFor !== null) return
    automatic.failures++
    if (reason !== 'failures' || automatic.failures >= FAILURES_MAX) automatic.suspendedFor = reason
  }
}

function isUnpaid({ status }: Intent): boolean {
  return status === 'requires_payment_method' || status === 'requires_action'
}

function reasonOf({ status, error }: Intent): Automatic['suspendedFor'] {
  if (status === 'requires_action' || error === 'authentication') return 'authentication'
  return error && 'failures'
}
