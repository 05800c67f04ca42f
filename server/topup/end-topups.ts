import { isDefiniteRefusal } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'
import { askProcessor } from './read-processor.ts'
import { askForIntent } from './create-intent.ts'
import { listOpenTopups, setTopupStatus, type TopupRow } from './queries.ts'
import type { TopupTools } from './settle.ts'

/** Nothing may still come in for somebody who leaves: what is open is cancelled, and what was paid keeps them here. */
export async function endTopups(tools: TopupTools, userId: bigint): Promise<void> {
  const { rows } = await tools.db.query<TopupRow>(listOpenTopups(userId))
  for (const topup of rows) {
    const intentId = topup.intent_id ?? (await askForIntent(tools, topup)).id
    const cancelled = tools.processor.stripe.paymentIntents.cancel(intentId)
    await askProcessor(tools, cancelled.catch(paidAlready))
    await tools.db.query(setTopupStatus(topup.id, 'ended'))
  }
}

function paidAlready(error: unknown): never {
  throw isDefiniteRefusal(error) ? new ServiceError('ACCOUNT_NOT_EMPTY') : error
}
