/** Returns money of a debit or capture to the wallet, once per pair. */
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { executeOnTarget, toTargetDraft, type Pair, type TargetInput } from './execute-on-target.ts'
import { toRefundResponse } from './show-outcome.ts'

export async function refundDebit(
  context: Context,
  clientApp: Pick<ClientApp, 'id' | 'ledgerAccount' | 'isPaused' | 'onMismatch'>,
  input: TargetInput & { debit: Pair },
  headers: Record<string, string>,
) {
  const draft = toTargetDraft(context, 'refund', clientApp, input.debit, input)
  const decision = await executeOnTarget(context, clientApp, draft, headers)
  return toRefundResponse(context, clientApp.ledgerAccount, decision)
}
