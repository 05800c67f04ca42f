import { run } from '../database/statement.ts'
import { isDefiniteRefusal } from '../processor/stripe.ts'
import { callProcessor } from './call-processor.ts'
import { endTopup } from './queries.ts'
import type { TopupTools } from './topup-tools.ts'

/** Returns false if the processor refuses, because the payment has succeeded or is in progress. */
export async function cancelTopup(
  tools: TopupTools,
  id: string,
  intentId: string,
): Promise<boolean> {
  const response = tools.processor.stripe.paymentIntents.cancel(intentId)
  const isRefused = await response.then(() => false, isDefiniteRefusal)
  if (isRefused) return false
  await callProcessor(tools, response)
  await run(tools.db, endTopup(id))
  return true
}
