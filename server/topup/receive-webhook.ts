import { WritesPaused } from '../ledger/writes-paused.ts'
import { readEvent } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'
import { EVENT_TYPES, handleEvent } from './handle-event.ts'
import type { TopupTools } from './settle.ts'

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/**
 * A fault here is answered with an error, and the processor sends the event again. What we do not know is none of
 * our business and is accepted, so that it is not.
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
  await handleEvent({ ...tools, messenger: 'webhook' }, event)
}
