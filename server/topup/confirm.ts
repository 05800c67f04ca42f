import { toWireNumber } from '@coffer/contract/money'
import { one } from '../database/statement.ts'
import { WritesPaused } from '../ledger/writes-paused.ts'
import { ServiceError } from '../service-error.ts'
import type { Session } from '../widget/require-session.ts'
import { findTopupByIntent, type Topup } from './queries.ts'
import { settle, type Settled } from './settle.ts'
import type { TopupTools } from './topup-tools.ts'

const MESSAGES = {
  succeeded: 'Your money has arrived.',
  processing: 'Your payment is being processed. Your balance updates automatically.',
  requires_action: 'Your bank asks you to confirm the payment.',
}

/** Only for an intent that this person created in this client app. If it is not credited yet, asks the processor. */
export async function confirmTopup(tools: TopupTools, session: Session, intentId: string) {
  const { db, ledger, config } = tools
  const topup = await one(db, findTopupByIntent(intentId))
  const isOwn = topup?.userId === session.userId && topup.clientAppId === session.clientApp.id
  if (topup === undefined || !isOwn) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  const status = (await isCredited(tools, topup)) ? 'succeeded' : await fetchStatus(tools, intentId)
  if (status === 'failed') throw new ServiceError('PAYMENT_FAILED')
  const wallet = await ledger.readWallet(topup.walletId)
  return {
    status,
    balance: toWireNumber(wallet?.balance ?? 0n, config.currency),
    paymentIntentId: intentId,
    amount: toWireNumber(topup.amountMinor, config.currency),
    currency: config.currency.code,
    message: MESSAGES[status],
  }
}

/** The row is only a hint: the response must be durable on the standby, and only the ledger knows that. */
async function isCredited({ ledger }: TopupTools, { status, intentId }: Topup) {
  if (status !== 'credited' || intentId === null) return false
  return (await ledger.findServiceDecision('TOPUP', intentId))?.refusal === null
}

async function fetchStatus(tools: TopupTools, intentId: string): Promise<Status> {
  const settled = await settle({ ...tools, settledBy: 'page' }, intentId).catch(whilePaused)
  if (settled === 'paid') return 'processing'
  if (settled === undefined) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  return toStatus(settled)
}

/** Only a paid top-up reaches the ledger; it is credited when writes resume. */
function whilePaused(error: unknown): 'paid' {
  if (error instanceof WritesPaused) return 'paid'
  throw error
}

type Status = 'succeeded' | 'processing' | 'requires_action' | 'failed'

function toStatus({ intent: { status }, outcome }: Settled): Status {
  if (outcome !== undefined) return 'succeeded'
  if (status === 'succeeded' || status === 'processing') return 'processing'
  return status === 'requires_action' || status === 'requires_confirmation'
    ? 'requires_action'
    : 'failed'
}
