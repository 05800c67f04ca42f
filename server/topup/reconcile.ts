/** Compares the processor's payments in a period with our books, in both directions, and credits missing ones. */
import { many } from '../database/statement.ts'
import { fromStripeAmount, type PaymentIntent } from '../processor/stripe.ts'
import { listCreditedTopups } from './queries.ts'
import { creditIfPaid } from './credit-if-paid.ts'
import type { TopupTools } from './topup-tools.ts'

export interface Difference {
  intentId: string
  what: string
  isCredited: boolean
}

export interface Reconciliation {
  /** Paid at the processor and credited in our books. */
  paid: number
  paidMinor: bigint
  differences: Difference[]
}

export async function reconcile(
  tools: TopupTools,
  period: { from: Date; to: Date },
  options: { creditMissing: boolean },
): Promise<Reconciliation> {
  const report: Reconciliation = { paid: 0, paidMinor: 0n, differences: [] }
  const listed = new Map<string, PaymentIntent>()
  const created = { gte: toSeconds(period.from), lt: toSeconds(period.to) }
  for await (const intent of tools.processor.stripe.paymentIntents.list({ created, limit: 100 })) {
    listed.set(intent.id, intent)
    if (intent.status === 'succeeded') await compare(tools, intent, report, options.creditMissing)
  }
  for (const topup of await many(tools.db, listCreditedTopups(period.from, period.to))) {
    const intentId = topup.intentId ?? ''
    const intent =
      listed.get(intentId) ??
      (await tools.processor.stripe.paymentIntents.retrieve(intentId).catch(() => undefined))
    if (intent?.status === 'succeeded') continue
    const what = 'credited here, but not paid at the processor'
    report.differences.push({ intentId, what, isCredited: false })
  }
  return report
}

async function compare(
  tools: TopupTools,
  intent: PaymentIntent,
  report: Reconciliation,
  creditMissing: boolean,
) {
  const intentId = intent.id
  const paidMinor = fromStripeAmount(intent.amount_received, tools.config.currency)
  const found = await tools.ledger.findServiceDecision('TOPUP', intentId)
  if (found === undefined) {
    const isCredited = creditMissing && (await creditIfPaid(tools, intentId))?.outcome !== undefined
    const isOurs = isCredited || intent.metadata['topupId'] !== undefined
    const what = isOurs
      ? 'paid at the processor, but not credited here'
      : 'paid, but no top-up of ours'
    report.differences.push({ intentId, what, isCredited })
    if (!isCredited) return
  } else if (found.refusal !== null || found.amountMinor !== paidMinor) {
    const what = `paid ${paidMinor}, credited ${found.refusal ?? found.amountMinor}`
    report.differences.push({ intentId, what, isCredited: false })
    return
  }
  report.paid++
  report.paidMinor += paidMinor
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
