/** Reads the feed of a client app, and waits for an event if there is none and the caller asks for it. */
import type { readEvents as endpoint } from '@coffer/contract/server/events'
import { EVENTS_MAX } from '@coffer/contract/limits'
import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { ClientApp } from '../../client-app/client-app-cache.ts'
import type { Context } from '../../context.ts'
import { ReadShares } from '../../ledger/read/share-reads.ts'
import { decodeCursor, encodeCursor } from './event-cursor.ts'
import { readPage, type EventPage } from './read-page.ts'
import { showEvent } from './show-event.ts'
import { EventWaiters } from './wait-for-events.ts'

type Page = z.input<typeof endpoint.response>

interface FeedCall {
  clientApp: ClientApp
  input: z.output<typeof endpoint.input>
  response: ServerResponse
  addWait: (waitedMs: number) => void
}

export interface Feed {
  read(call: FeedCall): Promise<Page>
  /** Ends the requests that wait. */
  end(): void
}

export function createFeed(context: Context): Feed {
  // One app, or a slow standby, cannot block the reads of other apps.
  const shares = new ReadShares({ atOnce: 2, perScope: 1, waitingMax: 64 })
  const waiters = new EventWaiters(context.db)
  return {
    read: (call) => readFeed(context, call, { shares, waiters }),
    end: () => waiters.end(),
  }
}

async function readFeed(
  context: Context,
  { clientApp, input, response, addWait }: FeedCall,
  { shares, waiters }: { shares: ReadShares; waiters: EventWaiters },
): Promise<Page> {
  const { id: clientAppId, ledgerAccount } = clientApp
  const { transactionIds } = context
  const { after, types, limit = EVENTS_MAX, waitSeconds = 0 } = input
  const endMs = performance.now() + waitSeconds * 1_000
  let position =
    after === undefined ? undefined : decodeCursor(transactionIds, ledgerAccount, after)
  const read = () => readPage(context, { clientAppId, position, types, limit })
  for (;;) {
    const page = await shares.run(ledgerAccount, read)
    position = page.position
    const startMs = performance.now()
    const waitMs = endMs - startMs
    if (page.events.length > 0 || waitMs <= 0) return showPage(context, ledgerAccount, page)
    if (page.hasMore) continue
    const { sequence } = position
    const isNews = await waiters.wait(clientAppId, { sequence, waitMs }, response)
    addWait(performance.now() - startMs)
    if (!isNews) return showPage(context, ledgerAccount, page)
  }
}

function showPage(context: Context, ledgerAccount: number, { events, position }: EventPage): Page {
  return {
    events: events.map((event) => showEvent(context, ledgerAccount, event)),
    nextCursor: encodeCursor(context.transactionIds, ledgerAccount, position),
  }
}
