/** Reads the operations of a month from one response, line by line, while the service sends it. */
import type { Connection } from './check-options.ts'
import { parse, type Head } from './exchange.ts'
import { readFailure } from './read-response.ts'
import { send } from './send.ts'
import type { ExportInput, Fetch, ListedOperation } from './types.ts'

/** How long the service may send nothing. The time that the caller's loop takes between two operations is not counted. */
const IDLE_TIMEOUT_MS = 30_000
const REQUIRED_FIELD = 'isExport'

type Response = Awaited<ReturnType<Fetch>>

export async function* exportOperations(
  connection: Connection,
  { month, signal }: ExportInput,
): AsyncGenerator<ListedOperation, void, undefined> {
  const ended = new AbortController()
  const end = () => ended.abort()
  signal?.addEventListener('abort', end)
  try {
    if (signal?.aborted) return
    const response = await open(connection, month, ended)
    yield* readLines(connection, response, ended)
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    signal?.removeEventListener('abort', end)
    // The service stops reading when the connection closes.
    ended.abort()
  }
}

/** Retries like every other call, until the response begins. */
async function open(
  connection: Connection,
  month: string,
  ended: AbortController,
): Promise<Response> {
  let opened: Response | undefined
  const call = {
    method: 'GET',
    path: '/api/server/operations/export',
    fields: { month },
    requiredField: REQUIRED_FIELD,
  } as const
  await send(connection, call, async ({ url, ...init }, timeout) => {
    // The time limit of an attempt ends when the response begins.
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    const signals = [timeout, ended.signal]
    for (const each of signals) each.addEventListener('abort', stop)
    if (ended.signal.aborted) stop()
    try {
      const response = await connection.fetch(url, { ...init, signal: attempt.signal })
      if (!isExport(response)) return { response, body: parse(await response.text()) }
      opened = response
      return { response, body: { [REQUIRED_FIELD]: true } }
    } finally {
      timeout.removeEventListener('abort', stop)
    }
  })
  return opened as Response
}

function isExport({ status, headers }: Head): boolean {
  return status === 200 && headers.get('content-type')?.startsWith('application/x-ndjson') === true
}

async function* readLines(
  connection: Connection,
  response: Response,
  ended: AbortController,
): AsyncGenerator<ListedOperation> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of readPieces(connection, response, ended)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const each of lines) {
      const operation = parse(each)
      if (!('transactionId' in operation)) throw fail(connection)
      yield operation as object as ListedOperation
    }
  }
  if (rest !== '') throw fail(connection)
}

function fail(connection: Connection, thrown?: unknown, timeoutMs?: number): Error {
  return readFailure(connection, thrown, timeoutMs).error
}

async function* readPieces(
  connection: Connection,
  response: Response,
  ended: AbortController,
): AsyncGenerator<Uint8Array> {
  if (!response.body) {
    yield new TextEncoder().encode(await response.text())
    return
  }
  const reader = response.body.getReader()
  for (;;) {
    const idleTimeout = AbortSignal.timeout(IDLE_TIMEOUT_MS)
    const stop = () => ended.abort()
    idleTimeout.addEventListener('abort', stop)
    let piece
    try {
      piece = await reader.read()
    } catch (error) {
      throw fail(connection, error, idleTimeout.aborted ? IDLE_TIMEOUT_MS : undefined)
    } finally {
      idleTimeout.removeEventListener('abort', stop)
    }
    if (piece.done || piece.value === undefined) return
    yield piece.value
  }
}
