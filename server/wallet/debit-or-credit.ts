import { parseAmount, toWireNumber } from '@coffer/contract/money'
import type { ClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import type { Decision, Outcome } from '../ledger/types.ts'
import { WritesPaused } from '../ledger/writes-paused.ts'
import { Overloaded, ServiceError } from '../service-error.ts'

interface Input {
  serviceUserId: string
  amount: string
  referenceType: string
  referenceId: string
  description?: string | undefined
}

const MESSAGES: Record<string, string> = { debit: 'Debit completed.', credit: 'Credit completed.' }

/** Executes a debit or credit once per pair; a repeat gets the original outcome, even if the user has changed since. */
export async function debitOrCredit(
  context: Context,
  kind: 'debit' | 'credit',
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
) {
  const { currency } = context.config
  const amountMinor = parseAmount(input.amount, currency)
  if (amountMinor === undefined || amountMinor === 0n) throw new ServiceError('INVALID_AMOUNT')
  const outcome = await postOrRecall(context, kind, clientApp, input, amountMinor)
  if (outcome === undefined) throw new ServiceError('USER_NOT_FOUND')
  const { decision, replayed, mismatch } = outcome
  if (replayed) headers['Idempotency-Replayed'] = 'true'
  if (mismatch.length > 0) headers['Idempotency-Mismatch'] = mismatch.join(', ')
  return toResponse(context, clientApp.account, decision)
}

/** The same response for every request with the pair; throws if it was refused. */
export function toResponse(
  { transactionIds, config: { currency } }: Pick<Context, 'transactionIds' | 'config'>,
  account: number,
  decision: Decision,
) {
  if (decision.refusal !== null || decision.balanceAfter === null) {
    throw new ServiceError(decision.refusal ?? 'OUTCOME_UNKNOWN')
  }
  return {
    balance: toWireNumber(decision.balanceAfter, currency),
    message: MESSAGES[decision.kind] ?? '',
    currency: currency.code,
    transactionId: transactionIds.seal(account, decision.walletId, decision.seq),
  }
}

async function postOrRecall(
  { findLink, ledger }: Context,
  kind: 'debit' | 'credit',
  clientApp: ClientApp,
  input: Input,
  amountMinor: bigint,
): Promise<Outcome | undefined> {
  const { referenceType, referenceId } = input
  const counterAccount = clientApp.account
  if (!ledger.hasRoomFor({ kind, counterAccount })) throw new Overloaded('ledger_queue')
  const link = await findLink(clientApp.id, input.serviceUserId)
  const request = { kind, referenceType, referenceId, amountMinor, counterAccount }
  if (!link?.isLive || clientApp.isPaused) {
    const known = await ledger.recall({ ...request, walletId: link?.walletId ?? null })
    if (known === undefined && link?.isLive) throw new WritesPaused()
    return known
  }
  return ledger.post({
    ...request,
    walletId: link.walletId,
    description: input.description ?? null,
  })
}
