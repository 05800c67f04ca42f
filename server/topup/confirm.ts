import { toWireNumber } from '@coffer/contract/money'
import { fromStripeAmount } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'
import type { Session } from '../session/require-session.ts'
import { findTopupByIntent, type TopupRow } from './queries.ts'
import { settle, type Settled, type TopupTools } from './settle.ts'

const MESSAGES = {
  succeeded: 'Your money has arrived.',
  processing: 'Your bank is still working on it. Your balance follows by itself.',
  requires_action: 'Your bank wants you to confirm the payment.',
}

/** Only an intent that this person began with this client app; everything about it is asked of the processor. */
export async function confirmTopup(tools: TopupTools, session: Session, intentId: string) {
  const { db, ledger, config } = tools
  const { rows } = await db.query<TopupRow>(findTopupByIntent(intentId))
  const [topup] = rows
  const isOwn =
    topup?.service_user_id === session.userId && topup.client_app_id === session.clientApp.id
  if (topup === undefined || !isOwn) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  const settled = await settle(tools, intentId)
  if (settled === undefined) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  const status = toStatus(settled)
  if (status === 'failed') throw new ServiceError('PAYMENT_FAILED')
  const wallet = await ledger.readWallet(topup.wallet_id)
  return {
    status,
    balance: toWireNumber(wallet?.balance ?? 0n, config.currency),
    paymentIntentId: intentId,
    amount: toWireNumber(fromStripeAmount(settled.intent.amount, config.currency), config.currency),
    currency: config.currency.code,
    message: MESSAGES[status],
  }
}

type Status = 'succeeded' | 'processing' | 'requires_action' | 'failed'

function toStatus({ intent: { status }, outcome }: Settled): Status {
  if (outcome !== undefined) return 'succeeded'
  if (status === 'succeeded' || status === 'processing') return 'processing'
  return status === 'requires_action' || status === 'requires_confirmation'
    ? 'requires_action'
    : 'failed'
}
