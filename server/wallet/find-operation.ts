import { toWireNumber } from '@coffer/contract/money'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import type { Decision, Kind } from '../ledger/types.ts'
import { ServiceError } from '../service-error.ts'
import { readMetadata } from './read-metadata.ts'

/** A capture pays the app, so it is a debit here. */
const OUTGOING: ReadonlySet<Kind> = new Set(['debit', 'hold', 'capture'])

interface Pair {
  referenceType: string
  referenceId: string
}

/** Returns the outcome of a pair to its client app; only durable outcomes. */
export async function findOperation(context: Context, { ledgerAccount }: ClientApp, pair: Pair) {
  const { referenceType, referenceId } = pair
  const decision = await context.ledger.findDecision(ledgerAccount, referenceType, referenceId)
  if (decision === undefined) throw new ServiceError('OPERATION_NOT_FOUND')
  const [metadata] = await readMetadata(context, ledgerAccount, [{ referenceType, referenceId }])
  const shown = await showDecision(context, ledgerAccount, { referenceType, referenceId }, decision)
  return { ...shown, ...(metadata && { metadata }) }
}

export async function showDecision(
  { findIdsAt, ledger, transactionIds, config: { currency } }: Context,
  ledgerAccount: number,
  { referenceType, referenceId }: Pair,
  decision: Decision,
) {
  const { kind, refusal, balanceAfter, amountMinor, walletId, seq, refund, holdChange } = decision
  const wallet = { walletId, createdAtMs: decision.decidedAtMs }
  const [serviceUserId = ''] = await findIdsAt(ledgerAccount, [wallet])
  const isPosted = balanceAfter !== null
  const isDebit = isPosted && (kind === 'debit' || kind === 'capture')
  const refunded = isDebit ? await ledger.readRefunded(decision.digest) : 0n
  const debits = await ledger.findDebits(refund ? [refund.target] : [])
  const debitSeq = refund && debits.get(refund.target)
  return {
    status: isPosted ? ('posted' as const) : ('refused' as const),
    type: OUTGOING.has(kind) ? ('debit' as const) : ('credit' as const),
    amount: toWireNumber(amountMinor, currency),
    currency: currency.code,
    referenceType,
    referenceId,
    serviceUserId,
    balance:
      isPosted && !(refund ?? holdChange)?.isBalanceHidden
        ? toWireNumber(balanceAfter, currency)
        : null,
    transactionId: isPosted ? transactionIds.encode(ledgerAccount, walletId, seq) : null,
    code: refusal,
    ...(debitSeq !== undefined && {
      refundOf: transactionIds.encode(ledgerAccount, walletId, debitSeq),
    }),
    ...(refunded > 0n && {
      refunded: toWireNumber(refunded, currency),
      refundable: toWireNumber(amountMinor - refunded, currency),
    }),
    createdAt: new Date(decision.decidedAtMs).toISOString(),
  }
}
