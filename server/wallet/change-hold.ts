/** Captures or releases a hold, once per pair; also on a frozen wallet, and after the user has unlinked the app. */
import { parseAmount } from '@coffer/contract/money'
import type { ClientApp as AnyClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import type { Decision, LedgerQuestion, LedgerRequest, Outcome } from '../ledger/types.ts'
import { Overloaded, ServiceError, WritesPaused } from '../service-error.ts'
import { markReplay } from './mark-replay.ts'
import type { Target } from './refund-debit.ts'
import { toCaptureResponse, toReleaseResponse } from './show-outcome.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'account' | 'isPaused' | 'onMismatch'>

interface Pair {
  referenceType: string
  referenceId: string
}

interface Input extends Pair {
  hold: Pair
  amount?: string | undefined
  isFinal?: boolean | undefined
  description?: string | undefined
}

/** What the ledger gets, except for what the hold determines. */
export interface HoldChangeOrder {
  hold: Pair
  question: Omit<LedgerQuestion, 'walletId' | 'ofHold'>
  isAmountOmitted: boolean
  isFinal: boolean
  description: string | null
}

export async function captureHold(
  context: Context,
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
) {
  const decision = await changeHold(context, 'capture', clientApp, input, headers)
  return toCaptureResponse(context, clientApp.account, decision)
}

export async function releaseHold(
  context: Context,
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
) {
  const decision = await changeHold(context, 'release', clientApp, input, headers)
  return toReleaseResponse(context, clientApp.account, decision)
}

async function changeHold(
  context: Context,
  kind: 'capture' | 'release',
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
): Promise<Decision> {
  const order = toHoldChangeOrder(context, kind, clientApp, input)
  if (!context.ledger.hasRoomFor(order.question)) throw new Overloaded('ledger_queue')
  const target = await findHold(context, clientApp, order)
  const request = await toHoldChangeRequest(context, clientApp, order, target)
  const outcome = request
    ? await context.ledger.post(request)
    : await recallHoldChange(context, order, target)
  markReplay(context, clientApp, outcome, headers)
  return outcome.decision
}

export function toHoldChangeOrder(
  { config: { currency } }: Context,
  kind: 'capture' | 'release',
  { account: counterAccount }: ClientApp,
  input: Input,
): HoldChangeOrder {
  const { hold, amount, isFinal = true, referenceType, referenceId, description = null } = input
  const isAmountOmitted = amount === undefined
  const amountMinor = isAmountOmitted ? 0n : parseAmount(amount, currency)
  if (amountMinor === undefined || (amountMinor === 0n && !isAmountOmitted)) {
    throw new ServiceError('INVALID_AMOUNT')
  }
  const question = { kind, referenceType, referenceId, amountMinor, counterAccount }
  return { hold, question, isAmountOmitted, isFinal, description }
}

/** undefined if the client app has no such hold. */
export async function findHold(
  { ledger }: Context,
  { account }: ClientApp,
  { hold }: HoldChangeOrder,
): Promise<Target | undefined> {
  const found = await ledger.findDecision(account, hold.referenceType, hold.referenceId)
  return found?.kind === 'hold' ? found : undefined
}

/** What the ledger may execute; undefined if it may only replay. */
export async function toHoldChangeRequest(
  { isLinked }: Context,
  clientApp: ClientApp,
  { question, isAmountOmitted, isFinal, description }: HoldChangeOrder,
  target: Target | undefined,
): Promise<LedgerRequest | undefined> {
  if (target === undefined || clientApp.isPaused) return undefined
  const { digest, walletId } = target
  const isBalanceHidden = !(await isLinked(clientApp.id, walletId))
  const ofHold = { target: digest, isAmountOmitted, isFinal, isBalanceHidden }
  return { ...question, walletId, description, ofHold }
}

/** The outcome of a pair that may only be replayed; throws if it has none. */
export async function recallHoldChange(
  { ledger }: Context,
  { question, isAmountOmitted, isFinal }: HoldChangeOrder,
  target: Target | undefined,
): Promise<Outcome> {
  const ofHold = { target: target?.digest ?? '', isAmountOmitted, isFinal, isBalanceHidden: false }
  const known = await ledger.recall({ ...question, walletId: target?.walletId ?? null, ofHold })
  if (known !== undefined) return known
  throw target ? new WritesPaused() : new ServiceError('OPERATION_NOT_FOUND')
}
