/** Reads the operations of a month from one response, line by line, while the service sends it. */
import type { Line } from './check-options.ts'
import { parse, type Head } from './exchange.ts'
import { readFailure } from './read-response.ts'
import { send } from './send.ts'
import type { ExportInput, Fetch, ListedOperation } from './types.ts'

/** How long the service may send nothing. A loop that takes long between two operations does not count. */
const SILENCE_MS = 30_000
const PROOF = 'isExport'

type Response = Awaited<ReturnType<Fetch>>

export async function* exportOperations(
  line: Line,
  { month, signal }: ExportInput,
): AsyncGenerator<ListedOperation, void, undefined> {
  const ended = new AbortController()
  const end = () => ended.abort()
  signal?.addEventListener('abort', end)
  try {
    if (signal?.aborted) return
    const response = await open(line, month, ended)
    yield* readLines(line, response, ended)
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    signal?.removeEventListener('abort', end)
    // The service stops reading when the connection closes.
    ended.abort()
  }
}

/** Retries like every other call, until the response begins. */
async function open(line: Line, month: string, ended: AbortController): Promise<Response> {
  let opened: Response | undefined
  const call = {
    method: 'GET',
    path: '/api/server/operations/export',
    fields: { month },
    proof: PROOF,
  } as const
  await send(line, call, async ({ url, ...init }, inTime) => {
    // The time limit of an attempt ends when the response begins.
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    const signals = [inTime, ended.signal]
    for (const each of signals) each.addEventListener('abort', stop)
    if (ended.signal.aborted) stop()
    try {
      const response = await line.fetch(url, { ...init, signal: attempt.signal })
      if (!isExport(response)) return { response, body: parse(await response.text()) }
      opened = response
      return { response, body: { [PROOF]: true } }
    } finally {
      inTime.removeEventListener('abort', stop)
    }
  })
  return opened as Response
}

function isExport({ status, headers }: Head): boolean {
  return status === 200 && headers.get('content-type')?.startsWith('application/x-ndjson') === true
}

async function* readLines(
  line: Line,
  response: Response,
  ended: AbortController,
): AsyncGenerator<ListedOperation> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of readPieces(line, response, ended)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const each of lines) {
      const operation = parse(each)
      if (!('transactionId' in operation)) throw fail(line)
      yield operation as object as ListedOperation
    }
  }
  if (rest !== '') throw fail(line)
}

function fail(line: Line, thrown?: unknown, timeoutMs?: number): Error {
  return readFailure(line, thrown, timeoutMs).error
}

async function* readPieces(
  line: Line,
  response: Response,
  ended: AbortController,
): AsyncGenerator<Uint8Array> {
  if (!response.body) {
    yield new TextEncoder().encode(await response.text())
    return
  }
  const reader = response.body.getReader()
  for (;;) {
    const silent = AbortSignal.timeout(SILENCE_MS)
    const stop = () => ended.abort()
    silent.addEventListener('abort', stop)
    let piece
    try {
      piece = await reader.read()
    } catch (error) {
      throw fail(line, error, silent.aborted ? SILENCE_MS : undefined)
    } finally {
      silent.removeEventListener('abort', stop)
    }
    if (piece.done || piece.value === undefined) return
    yield piece.value
  }
}
