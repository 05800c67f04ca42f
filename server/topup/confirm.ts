import { toWireNumber } from '@coffer/contract/money'
import { WritesPaused } from '../ledger/writes-paused.ts'
import { ServiceError } from '../service-error.ts'
import type { Session } from '../widget/require-session.ts'
import { findTopupByIntent, type TopupRow } from './queries.ts'
import { settle, type Settled, type TopupTools } from './settle.ts'

const MESSAGES = {
  succeeded: 'Your money has arrived.',
  processing: 'Your payment is under way. Your balance follows by itself.',
  requires_action: 'Your bank wants you to confirm the payment.',
}

/** Only an intent that this person began with this client app; what is not credited yet is asked of the processor. */
export async function confirmTopup(tools: TopupTools, session: Session, intentId: string) {
  const { db, ledger, config } = tools
  const { rows } = await db.query<TopupRow>(findTopupByIntent(intentId))
  const [topup] = rows
  const isOwn =
    topup?.service_user_id === session.userId && topup.client_app_id === session.clientApp.id
  if (topup === undefined || !isOwn) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  const status = (await isCredited(tools, topup)) ? 'succeeded' : await askStatus(tools, intentId)
  if (status === 'failed') throw new ServiceError('PAYMENT_FAILED')
  const wallet = await ledger.readWallet(topup.wallet_id)
  return {
    status,
    balance: toWireNumber(wallet?.balance ?? 0n, config.currency),
    paymentIntentId: intentId,
    amount: toWireNumber(topup.amount, config.currency),
    currency: config.currency.code,
    message: MESSAGES[status],
  }
}

/** The row is only a hint: what is told must have reached the standby, and that the ledger knows. */
async function isCredited({ ledger }: TopupTools, { status, intent_id: intentId }: TopupRow) {
  if (status !== 'credited' || intentId === null) return false
  return (await ledger.findServiceDecision('TOPUP', intentId))?.refusal === null
}

async function askStatus(tools: TopupTools, intentId: string): Promise<Status> {
  const settled = await settle({ ...tools, messenger: 'page' }, intentId).catch(whilePaused)
  if (settled === 'paid') return 'processing'
  if (settled === undefined) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  return toStatus(settled)
}

/** Only what is paid gets as far as the ledger; it is credited when writes go on. */
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
