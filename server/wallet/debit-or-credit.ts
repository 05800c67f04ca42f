import { parseAmount, toWireNumber } from '@coffer/contract/money'
import type { ClientApp as AnyClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import type { Decision, LedgerQuestion, LedgerRequest, Outcome } from '../ledger/types.ts'
import { Overloaded, ServiceError, WritesPaused } from '../service-error.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'account' | 'isPaused'>

export interface OperationInput {
  serviceUserId: string
  amount: string
  referenceType: string
  referenceId: string
  description?: string | undefined
}

const MESSAGES: Record<string, string> = { debit: 'Debit completed.', credit: 'Credit completed.' }

export type FoundLink = Awaited<ReturnType<Context['findLink']>>

/** What the ledger gets, except for the wallet. */
export interface Order {
  serviceUserId: string
  question: Omit<LedgerQuestion, 'walletId'>
  description: string | null
}

/** Executes a debit or credit once per pair; a repeat gets the original outcome, even if the user has changed since. */
export async function debitOrCredit(
  context: Context,
  kind: 'debit' | 'credit',
  clientApp: ClientApp,
  input: OperationInput,
  headers: Record<string, string>,
) {
  const { findLink, ledger } = context
  const order = toOrder(context, kind, clientApp, input)
  if (!ledger.hasRoomFor(order.question)) throw new Overloaded('ledger_queue')
  const link = await findLink(clientApp.id, order.serviceUserId)
  const request = toRequest(clientApp, link, order)
  const outcome = request ? await ledger.post(request) : await recall(context, link, order)
  markReplay(outcome, headers)
  return toResponse(context, clientApp.account, outcome.decision)
}

export function markReplay({ replayed, mismatch }: Outcome, headers: Record<string, string>) {
  if (replayed) headers['Idempotency-Replayed'] = 'true'
  if (mismatch.length > 0) headers['Idempotency-Mismatch'] = mismatch.join(', ')
}

export function toOrder(
  { config: { currency } }: Context,
  kind: 'debit' | 'credit' | 'hold',
  clientApp: ClientApp,
  input: OperationInput,
): Order {
  const amountMinor = parseAmount(input.amount, currency)
  if (amountMinor === undefined || amountMinor === 0n) throw new ServiceError('INVALID_AMOUNT')
  const { serviceUserId, referenceType, referenceId, description = null } = input
  const counterAccount = clientApp.account
  const question = { kind, referenceType, referenceId, amountMinor, counterAccount }
  return { serviceUserId, question, description }
}

/** What the ledger may execute; undefined if it may only replay. */
export function toRequest(
  clientApp: ClientApp,
  link: FoundLink,
  { question, description }: Order,
): LedgerRequest | undefined {
  if (!link?.isLive || clientApp.isPaused) return undefined
  return { ...question, walletId: link.walletId, description }
}

/** The outcome of a pair that may only be replayed; throws if it has none. */
export async function recall(
  { ledger }: Context,
  link: FoundLink,
  { question }: Order,
): Promise<Outcome> {
  const known = await ledger.recall({ ...question, walletId: link?.walletId ?? null })
  if (known !== undefined) return known
  throw link?.isLive ? new WritesPaused() : new ServiceError('USER_NOT_FOUND')
}

/** The same response for every request with the pair; throws if it was refused. */
export function toResponse(
  { transactionIds, config: { currency } }: Pick<Context, 'transactionIds' | 'config'>,
  account: number,
  decision: Decision,
) {
  if (MESSAGES[decision.kind] === undefined) throw new ServiceError('REFERENCE_MISMATCH')
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
