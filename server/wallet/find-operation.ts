import { toWireNumber } from '@coffer/contract/money'
import type { ClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'

/** Tells a client app what became of its pair; only what is durable is told. */
export async function findOperation(
  { ledger, transactionIds, config: { currency } }: Context,
  clientApp: ClientApp,
  { referenceType, referenceId }: { referenceType: string; referenceId: string },
) {
  const decision = await ledger.findDecision(clientApp.account, referenceType, referenceId)
  if (decision === undefined) throw new ServiceError('OPERATION_NOT_FOUND')
  const { kind, refusal, balanceAfter, amountMinor, walletId, seq } = decision
  const isPosted = balanceAfter !== null
  return {
    status: isPosted ? ('posted' as const) : ('refused' as const),
    type: kind === 'debit' ? ('debit' as const) : ('credit' as const),
    amount: toWireNumber(amountMinor, currency),
    currency: currency.code,
    referenceType,
    referenceId,
    balance: isPosted ? toWireNumber(balanceAfter, currency) : null,
    transactionId: isPosted ? transactionIds.seal(clientApp.account, walletId, seq) : null,
    code: refusal,
    createdAt: new Date(decision.decidedAtMs).toISOString(),
  }
}
