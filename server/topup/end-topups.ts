import { many, run } from '../database/statement.ts'
import { isDefiniteRefusal } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'
import { callProcessor } from './call-processor.ts'
import { requestIntent } from './create-intent.ts'
import { listOpenTopups, setTopupStatus } from './queries.ts'
import type { TopupTools } from './topup-tools.ts'

/**
 * Cancels the open top-ups of somebody who deletes their account, so that no money arrives afterwards. A top-up that
 * is already paid stops the deletion.
 */
export async function endTopups(tools: TopupTools, userId: bigint): Promise<void> {
  for (const topup of await many(tools.db, listOpenTopups(userId))) {
    const intentId = topup.intentId ?? (await requestIntent(tools, topup)).id
    const cancelled = tools.processor.stripe.paymentIntents.cancel(intentId)
    await callProcessor(tools, cancelled.catch(refuseIfPaid))
    await run(tools.db, setTopupStatus(topup.id, 'ended'))
  }
}

function refuseIfPaid(error: unknown): never {
  throw isDefiniteRefusal(error) ? new ServiceError('ACCOUNT_NOT_EMPTY') : error
}
