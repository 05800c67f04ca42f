/** Holds money of a wallet, once per pair. */
import { HOLD_SECONDS_DEFAULT } from '@coffer/contract/limits'
import { toWireNumber } from '@coffer/contract/money'
import type { ClientApp as AnyClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import type { Decision, LedgerRequest } from '../ledger/types.ts'
import { Overloaded, ServiceError } from '../service-error.ts'
import {
  markReplay,
  recall,
  toOrder,
  toRequest,
  type FoundLink,
  type OperationInput,
  type Order,
} from './debit-or-credit.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'account' | 'isPaused'>

interface Input extends OperationInput {
  expiresInSeconds?: number | undefined
}

export async function placeHold(
  context: Context,
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
) {
  const { findLink, ledger } = context
  const order = toHoldOrder(context, clientApp, input)
  if (!ledger.hasRoomFor(order.question)) throw new Overloaded('ledger_queue')
  const link = await findLink(clientApp.id, order.serviceUserId)
  const request = await toHoldRequest(context, clientApp, link, order)
  const outcome = request ? await ledger.post(request) : await recall(context, link, order)
  markReplay(outcome, headers)
  return toHoldResponse(context, clientApp.account, outcome.decision)
}

export function toHoldOrder(context: Context, clientApp: ClientApp, input: Input): Order {
  const order = toOrder(context, 'hold', clientApp, input)
  const { expiresInSeconds = HOLD_SECONDS_DEFAULT } = input
  return {
    ...order,
    question: { ...order.question, hold: { expiresInMs: 1000 * expiresInSeconds } },
  }
}

/** What the ledger may execute; undefined if it may only replay. */
export async function toHoldRequest(
  { ledger }: Context,
  clientApp: ClientApp,
  link: FoundLink,
  order: Order,
): Promise<LedgerRequest | undefined> {
  return (await ledger.acceptsHolds()) ? toRequest(clientApp, link, order) : undefined
}

/** The same response for every request with the pair; throws if it was refused. */
export function toHoldResponse(
  { transactionIds, config: { currency } }: Pick<Context, 'transactionIds' | 'config'>,
  account: number,
  { hold, refusal, balanceAfter, amountMinor, walletId, seq }: Decision,
) {
  if (hold === undefined) throw new ServiceError('REFERENCE_MISMATCH')
  if (refusal !== null || balanceAfter === null) {
    throw new ServiceError(refusal ?? 'OUTCOME_UNKNOWN')
  }
  return {
    balance: toWireNumber(balanceAfter, currency),
    held: toWireNumber(amountMinor, currency),
    expiresAt: new Date(hold.expiresAtMs).toISOString(),
    message: 'Hold placed.',
    currency: currency.code,
    transactionId: transactionIds.seal(account, walletId, seq),
  }
}
