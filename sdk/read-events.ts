/** Reads the feed of events, for as long as the caller wants, also while the service restarts. */
import type { Connection } from './check-options.ts'
import { CofferError } from './errors.ts'
import { exchange } from './exchange.ts'
import { sleep } from './sleep.ts'
import { chooseDelayMs, send } from './send.ts'
import type { CofferEvent, EventsInput } from './event-types.ts'

const WAIT_SECONDS = 20
/** Longer than the service works on a request that waits. */
const TIMEOUT_MS = 30_000

interface Page {
  events: CofferEvent[]
  nextCursor: string
}

interface Query {
  after: string | undefined
  types: readonly string[] | undefined
  waitSeconds: number
}

export interface ReadOptions {
  signal?: AbortSignal | undefined
  /** After each request: why it failed, if another one follows. */
  onRequest?: ((error: CofferError | undefined) => void) | undefined
}

export async function* readEvents(
  connection: Connection,
  { after, types, signal }: EventsInput,
  onRequest?: ReadOptions['onRequest'],
): AsyncGenerator<CofferEvent, void, undefined> {
  const query: Query = { after: after ?? undefined, types, waitSeconds: WAIT_SECONDS }
  for (;;) {
    const page = await readPage(connection, query, { signal, onRequest })
    if (page === undefined) return
    for (const event of page.events) {
      if (signal?.aborted) return
      yield event
    }
    query.after = page.nextCursor
  }
}

/** The cursor of the newest event; undefined if the signal was aborted. */
export async function findEnd(
  connection: Connection,
  options: ReadOptions,
): Promise<string | undefined> {
  // No event of the feed has this type, so the service skips all that it has, many at a time.
  const query: Query = { after: undefined, types: ['ping'], waitSeconds: 0 }
  for (;;) {
    const page = await readPage(connection, query, options)
    if (page === undefined || page.nextCursor === query.after) return page?.nextCursor
    query.after = page.nextCursor
  }
}

/** Tries again until the service responds; undefined if the signal was aborted. */
async function readPage(
  connection: Connection,
  query: Query,
  { signal, onRequest }: ReadOptions,
): Promise<Page | undefined> {
  for (let failures = 0; ; failures++) {
    try {
      const page = await requestPage(connection, query, signal)
      onRequest?.(undefined)
      return page
    } catch (error) {
      if (signal?.aborted) return undefined
      if (!(error instanceof CofferError) || !isTransient(error)) throw error
      onRequest?.(error)
      await sleep(chooseDelayMs(failures, retryAfterOf(error)), signal)
    }
  }
}

function requestPage(
  connection: Connection,
  { after, types, waitSeconds }: Query,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const path = '/api/server/events'
  const fields = { after, types: types?.join(','), waitSeconds }
  const once = { ...connection, retries: 0, timeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS }
  const call = { method: 'GET', path, fields, requiredField: 'nextCursor' } as const
  return send(once, call, (request, timeout) =>
    exchange(connection, request, signal ? AbortSignal.any([timeout, signal]) : timeout),
  )
}

/** Whether the same request may succeed later: no response, too many requests, or a failure of the service or a proxy. */
function isTransient({ status }: CofferError): boolean {
  return status === undefined || status === 429 || status >= 500
}

function retryAfterOf(error: CofferError): number | undefined {
  return 'retryAfterSeconds' in error ? (error.retryAfterSeconds as number | undefined) : undefined
}
