/** Holds money of a wallet, once per pair. */
import { HOLD_SECONDS_DEFAULT } from '@coffer/contract/limits'
import type { ClientApp as AnyClientApp } from '../client-app/remember-client-apps.ts'
import type { Context } from '../context.ts'
import { Overloaded } from '../service-error.ts'
import { replay, toOrder, toRequest, type OperationInput, type Order } from './debit-or-credit.ts'
import { markReplay } from './mark-replay.ts'
import { toHoldResponse } from './show-outcome.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'account' | 'isPaused' | 'onMismatch'>

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
  if (!ledger.hasRoomFor(order.lookup)) throw new Overloaded('ledger_queue')
  const link = await findLink(clientApp.id, order.serviceUserId)
  const request = toRequest(clientApp, link, order)
  const outcome = request ? await ledger.post(request) : await replay(context, link, order)
  markReplay(context, clientApp, outcome, headers)
  return toHoldResponse(context, clientApp.account, outcome.decision)
}

export function toHoldOrder(context: Context, clientApp: ClientApp, input: Input): Order {
  const order = toOrder(context, 'hold', clientApp, input)
  const { expiresInSeconds = HOLD_SECONDS_DEFAULT } = input
  return {
    ...order,
    lookup: { ...order.lookup, hold: { expiresInMs: 1000 * expiresInSeconds } },
  }
}
