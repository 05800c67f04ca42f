/** The top-ups of an audit: which were started, which were paid at the processor, and which the page saw as paid. */
import type { RunningSandbox } from '../../sandbox/start-sandbox.ts'
import type { Expected } from '../check/known-facts.ts'

export interface Payment {
  wallet: number
  amountMinor: number
  paidMs: number
  /** Wall-clock time, to compare with the ledger's times. */
  paidAtMs: number
  /** When a page first got the confirmation that the money had arrived. */
  confirmedMs: number
}

const DECLINES_MAX = 4

export class Payments {
  /** By intent. */
  readonly payments = new Map<string, Payment>()
  /** Responses that the contract does not list. */
  readonly unexpected: string[] = []
  /** Of sessions and intents: they must not appear anywhere. */
  readonly secrets: string[] = []
  started = 0
  readonly #declined = new Map<number, number>()

  /** After five failed payments within an hour, the service refuses the person's top-ups. */
  mayDecline(wallet: number): boolean {
    const times = this.#declined.get(wallet) ?? 0
    this.#declined.set(wallet, times + 1)
    return times < DECLINES_MAX
  }

  pay(intentId: string, wallet: number, amountMinor: number) {
    const now = { paidMs: performance.now(), paidAtMs: Date.now() }
    this.payments.set(intentId, { wallet, amountMinor, ...now, confirmedMs: Infinity })
  }

  confirm(intentId: string) {
    const payment = this.payments.get(intentId)
    if (payment) payment.confirmedMs = Math.min(payment.confirmedMs, performance.now())
  }

  /** What the ledger must contain because of the processor, by reference: payments, and money that it took back. */
  expected({ state }: Pick<RunningSandbox, 'state'>): Map<string, Expected> {
    const expected = new Map<string, Expected>()
    const add = (key: string, intentId: unknown, netMinor: number, respondedMs = Infinity) => {
      const payment = this.payments.get(String(intentId))
      if (payment === undefined) return
      const { wallet, paidMs: sentMs } = payment
      expected.set(key, { wallet, netMinor, sentMs, respondedMs })
    }
    for (const { id, status, amount_received: amount } of state.paymentIntents.values()) {
      if (status !== 'succeeded') continue
      add(`TOPUP ${id}`, id, amount, this.payments.get(id)?.confirmedMs)
    }
    for (const {
      payment_intent: intent,
      balance_transactions: entries,
    } of state.disputes.values()) {
      for (const { id, amount } of entries) {
        if (amount < 0) add(`DISPUTE ${id}`, intent, amount)
        if (amount > 0) add(`DISPUTE_REINSTATED ${id}`, intent, amount)
      }
    }
    for (const { id, payment_intent: intent, amount, status } of state.refunds.values()) {
      add(`PROCESSOR_REFUND ${id}`, intent, -amount)
      if (status === 'failed') add(`PROCESSOR_REFUND_FAILED ${id}`, intent, amount)
    }
    return expected
  }

  /** The sum of all movements at the processor. */
  movedMinor({ state }: Pick<RunningSandbox, 'state'>): number {
    return [...state.balanceTransactions.values()].reduce((sum, { amount }) => sum + amount, 0)
  }
}
