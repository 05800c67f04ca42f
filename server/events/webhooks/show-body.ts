import type { Context } from '../../context.ts'
import type { StoredEvent } from '../feed/queries.ts'
import { showEvent } from '../feed/show-event.ts'

/** The body of a request: the event as in the feed, without its cursor. */
export function showBody(
  tools: Pick<Context, 'transactionIds' | 'config'>,
  ledgerAccount: number,
  event: StoredEvent,
): { id: string; body: string } {
  const { cursor: _, ...shown } = showEvent(tools, ledgerAccount, event)
  return { id: shown.id, body: JSON.stringify(shown) }
}
