/** Reads the feed of events, for as long as the caller wants, also while the service restarts. */
import type { Line } from './check-options.ts'
import { CofferError } from './errors.ts'
import { exchange } from './exchange.ts'
import { choosePauseMs, send } from './send.ts'
import type { CofferEvent, EventsInput } from './types.ts'

const WAIT_SECONDS = 20
/** Longer than the service works on a request that waits. */
const TIMEOUT_MS = 30_000

interface Page {
  events: CofferEvent[]
  nextCursor: string
}

export async function* readEvents(
  line: Line,
  { after, types, signal }: EventsInput,
): AsyncGenerator<CofferEvent, void, undefined> {
  let cursor = after ?? undefined
  let failures = 0
  for (;;) {
    let page: Page
    try {
      page = await readPage(line, cursor, types, signal)
      failures = 0
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof CofferError) || !isPassing(error)) throw error
      await pause(choosePauseMs(failures++, retryAfterOf(error)), signal)
      continue
    }
    for (const event of page.events) {
      if (signal?.aborted) return
      yield event
    }
    cursor = page.nextCursor
  }
}

function readPage(
  line: Line,
  after: string | undefined,
  types: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const path = '/api/server/events'
  const fields = { after, types: types?.join(','), waitSeconds: WAIT_SECONDS }
  const once = { ...line, retries: 0, timeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS }
  const call = { method: 'GET', path, fields, proof: 'nextCursor' } as const
  return send(once, call, (_, request, inTime) =>
    exchange(line, request, signal ? AbortSignal.any([inTime, signal]) : inTime),
  )
}

/** Whether the same request may succeed later: no response, too many requests, or a failure of the service or a proxy. */
function isPassing({ status }: CofferError): boolean {
  return status === undefined || status === 429 || status >= 500
}

function retryAfterOf(error: CofferError): number | undefined {
  return 'retryAfterSeconds' in error ? (error.retryAfterSeconds as number | undefined) : undefined
}

/** Ends early when the signal is aborted. */
function pause(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, pauseMs)
    signal?.addEventListener('abort', end)
  })
}
