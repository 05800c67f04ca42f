/** Holds money of a wallet, once per pair. */
import { HOLD_SECONDS_DEFAULT } from '@coffer/contract/limits'
import type { ClientApp as AnyClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { Overloaded } from '../service-error.ts'
import {
  replay,
  toDraft,
  toRequest,
  type OperationInput,
  type OperationDraft,
} from './debit-or-credit.ts'
import { markReplay } from './mark-replay.ts'
import { toHoldResponse } from './show-outcome.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'ledgerAccount' | 'isPaused' | 'onMismatch'>

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
  const draft = toHoldDraft(context, clientApp, input)
  if (!ledger.hasRoomFor(draft.lookup)) throw new Overloaded('ledger_queue')
  const link = await findLink(clientApp.id, draft.serviceUserId)
  const request = toRequest(clientApp, link, draft)
  const outcome = request ? await ledger.post(request) : await replay(context, link, draft)
  markReplay(context, clientApp, outcome, headers)
  return toHoldResponse(context, clientApp.ledgerAccount, outcome.decision)
}

export function toHoldDraft(context: Context, clientApp: ClientApp, input: Input): OperationDraft {
  const draft = toDraft(context, 'hold', clientApp, input)
  const { expiresInSeconds = HOLD_SECONDS_DEFAULT } = input
  return {
    ...draft,
    lookup: { ...draft.lookup, hold: { expiresInMs: 1000 * expiresInSeconds } },
  }
}
