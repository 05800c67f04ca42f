/** An app that reads its feed, waiting for the next events. */
import { readEvents } from '@coffer/contract/server/events'
import type { Delays } from './delays.ts'

const WAIT_SECONDS = 5

interface Page {
  events: { id: string; createdAt: string }[]
  nextCursor: string
}

/** Returns when the signal aborts it. */
export async function readFeed(
  url: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  delays: Delays,
  signal: AbortSignal,
): Promise<void> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  let after = ''
  try {
    while (!signal.aborted) {
      const query = new URLSearchParams({ waitSeconds: `${WAIT_SECONDS}`, ...(after && { after }) })
      const response = await fetch(`${url}${readEvents.path}?${query}`, { headers, signal })
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
      const { events, nextCursor } = (await response.json()) as Page
      for (const event of events) delays.add(event)
      after = nextCursor
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
