import { toWireNumber } from '@coffer/contract/money'
import { one } from '../database/statement.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { ServiceError, WritesPaused } from '../service-error.ts'
import { findTopupByIntent, type Topup } from './queries.ts'
import { joinCalls } from './join-calls.ts'
import { limitStripeCalls } from './limit-stripe-calls.ts'
import { creditIfPaid, type TopupCheck } from './credit-if-paid.ts'
import type { PageTools, Payer, TopupTools } from './topup-tools.ts'

const MESSAGES = {
  succeeded: 'Your money has arrived.',
  processing: 'Your payment is being processed. Your balance updates automatically.',
  requires_action: 'Your bank asks you to confirm the payment.',
}

type CheckJoined = (topup: Topup) => Promise<TopupCheck | undefined>
type ConfirmTools = TopupTools & { checkJoined: CheckJoined }

/** All concurrent requests about one top-up share a call of the processor. */
export function joinChecks(toolsOf: () => PageTools): CheckJoined {
  return joinCalls(
    ({ id }: Topup) => id,
    async (topup) => {
      const tools = toolsOf()
      await limitStripeCalls(tools, topup)
      return creditIfPaid({ ...tools, reportedBy: 'page' }, topup.intentId ?? '')
    },
  )
}

/**
 * Only for an intent that this person created in this client app, or at /account. If it is not credited yet, asks the
 * processor.
 */
export async function confirmTopup(
  { db, ledger, config, checkJoined }: ConfirmTools,
  payer: Payer,
  intentId: string,
) {
  const topup = await one(db, findTopupByIntent(intentId))
  const clientAppId = payer.clientApp?.id ?? null
  const isOwn = topup?.userId === payer.userId && topup.clientAppId === clientAppId
  if (topup === undefined || !isOwn) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  const status = (await isCredited(ledger, topup))
    ? 'succeeded'
    : await fetchStatus(checkJoined, topup)
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
async function isCredited(ledger: Ledger, { status, intentId }: Topup) {
  if (status !== 'credited' || intentId === null) return false
  return (await ledger.findServiceDecision('TOPUP', intentId))?.refusal === null
}

async function fetchStatus(checkJoined: CheckJoined, topup: Topup): Promise<Status> {
  const check = await checkJoined(topup).catch(toPaid)
  if (check === 'paid') return 'processing'
  if (check === undefined) throw new ServiceError('PAYMENT_INTENT_NOT_FOUND')
  return toStatus(check)
}

/** Writes are paused. Only a paid top-up reaches the ledger, so it is paid, and is credited when writes resume. */
function toPaid(error: unknown): 'paid' {
  if (error instanceof WritesPaused) return 'paid'
  throw error
}

type Status = 'succeeded' | 'processing' | 'requires_action' | 'failed'

function toStatus({ intent: { status }, outcome }: TopupCheck): Status {
  if (outcome !== undefined) return 'succeeded'
  if (status === 'succeeded' || status === 'processing') return 'processing'
  return status === 'requires_action' || status === 'requires_confirmation'
    ? 'requires_action'
    : 'failed'
}
