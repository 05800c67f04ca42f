/** Returns money of a debit or capture to the wallet, once per pair; also on a frozen wallet, and after the user has unlinked the app. */
import type { Metadata } from '@coffer/contract/metadata'
import { parseAmount } from '@coffer/contract/money'
import type { ClientApp as AnyClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import type { LedgerQuestion, LedgerRequest, Outcome } from '../ledger/types.ts'
import { Overloaded, ServiceError, WritesPaused } from '../service-error.ts'
import { textsOf, type Texts } from './debit-or-credit.ts'
import { markReplay } from './mark-replay.ts'
import { toRefundResponse } from './show-outcome.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'account' | 'isPaused' | 'onMismatch'>

interface Pair {
  referenceType: string
  referenceId: string
}

interface Input extends Pair {
  debit: Pair
  amount?: string | undefined
  description?: string | undefined
  metadata?: Metadata | undefined
}

/** What the ledger gets, except for what the debit determines. */
export interface RefundOrder {
  debit: Pair
  question: Omit<LedgerQuestion, 'walletId' | 'refund'>
  isAmountOmitted: boolean
  texts: Texts
}

/** The debit of a refund. */
export interface Target {
  digest: string
  walletId: bigint
}

export async function refundDebit(
  context: Context,
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
) {
  const order = toRefundOrder(context, clientApp, input)
  if (!context.ledger.hasRoomFor(order.question)) throw new Overloaded('ledger_queue')
  const target = await findDebit(context, clientApp, order)
  const request = await toRefundRequest(context, clientApp, order, target)
  const outcome = request
    ? await context.ledger.post(request)
    : await recallRefund(context, order, target)
  markReplay(context, clientApp, outcome, headers)
  return toRefundResponse(context, clientApp.account, outcome.decision)
}

export function toRefundOrder(
  { config: { currency } }: Context,
  { account: counterAccount }: ClientApp,
  input: Input,
): RefundOrder {
  const { debit, amount, referenceType, referenceId } = input
  const amountMinor = amount === undefined ? 0n : parseAmount(amount, currency)
  const isAmountOmitted = amount === undefined
  if (amountMinor === undefined || (amountMinor === 0n && !isAmountOmitted)) {
    throw new ServiceError('INVALID_AMOUNT')
  }
  const kind = 'debit_refund' as const
  const question = { kind, referenceType, referenceId, amountMinor, counterAccount }
  return { debit, question, isAmountOmitted, texts: textsOf(input) }
}

/** undefined if the client app has no such debit or capture. */
export async function findDebit(
  { ledger }: Context,
  { account }: ClientApp,
  { debit }: RefundOrder,
): Promise<Target | undefined> {
  const found = await ledger.findDecision(account, debit.referenceType, debit.referenceId)
  return found?.kind === 'debit' || found?.kind === 'capture' ? found : undefined
}

/** What the ledger may execute; undefined if it may only replay. */
export async function toRefundRequest(
  { isLinked, ledger }: Context,
  clientApp: ClientApp,
  { question, isAmountOmitted, texts }: RefundOrder,
  target: Target | undefined,
): Promise<LedgerRequest | undefined> {
  if (target === undefined || clientApp.isPaused || !(await ledger.acceptsRefunds()))
    return undefined
  const { digest, walletId } = target
  const isBalanceHidden = !(await isLinked(clientApp.id, walletId))
  const refund = { target: digest, isAmountOmitted, isBalanceHidden }
  return { ...question, walletId, ...texts, refund }
}

/** The outcome of a pair that may only be replayed; throws if it has none. */
export async function recallRefund(
  { ledger }: Context,
  { question, isAmountOmitted }: RefundOrder,
  target: Target | undefined,
): Promise<Outcome> {
  const refund = { target: target?.digest ?? '', isAmountOmitted, isBalanceHidden: false }
  const known = await ledger.recall({ ...question, walletId: target?.walletId ?? null, refund })
  if (known !== undefined) return known
  throw target ? new WritesPaused() : new ServiceError('OPERATION_NOT_FOUND')
}
