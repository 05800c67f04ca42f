import { readEvent } from '../processor/stripe.ts'
import { ServiceError, WritesPaused } from '../service-error.ts'
import { EVENT_TYPES, handleEvent } from './handle-event.ts'
import type { TopupTools } from './topup-tools.ts'

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/**
 * If handling fails, the response is an error and the processor sends the event again. Events of other types are
 * accepted and ignored, so that the processor does not send them again.
 */
export async function receiveWebhook(
  tools: TopupTools,
  body: Buffer,
  signature: string,
): Promise<void> {
  const event = readEvent(tools.processor, body, signature, Date.now())
  if (event === undefined) throw new ServiceError('INVALID_SIGNATURE')
  if (!KNOWN.has(event.type)) return
  if (await tools.ledger.readPause()) throw new WritesPaused()
  await handleEvent({ ...tools, settledBy: 'webhook' }, event)
}
