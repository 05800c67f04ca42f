/** Sends one request and receives its response. */
import type { Connection } from './check-options.ts'
import type { CofferError } from './errors.ts'
import type { Fetch, Reference } from './types.ts'

type Field =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly object[]
  | Reference
  | Record<string, string>
  | null
  | undefined

export interface Call {
  method: 'GET' | 'POST'
  path: string
  fields: Record<string, Field>
  /** A field of every valid response, so that an unrelated page with status 200 is not taken for a payment. */
  requiredField: string
  /** Of a debit, credit or refund. */
  reference?: Reference
  /** Of a batch: the response instead of an error, if an attempt may have been executed and none reports the outcome. */
  onOutcomeUnknown?: (error: CofferError) => object
}

export type Request = Omit<Parameters<Fetch>[1], 'signal'> & { url: string }
export type Body = Record<string, unknown>
export type Head = Pick<Awaited<ReturnType<Fetch>>, 'status' | 'headers'>

export interface Received {
  response: Head
  /** Empty if it is not a JSON object. */
  body: Body
}

/** One attempt of a call. Rejects if no complete response arrives before the signal. */
export type Exchange = (request: Request, signal: AbortSignal) => Promise<Received>

export async function exchange(
  connection: Connection,
  { url, ...init }: Request,
  signal: AbortSignal,
): Promise<Received> {
  const response = await connection.fetch(url, { ...init, signal })
  return { response, body: parse(await response.text()) }
}

export function parse(text: string): Body {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Body) : {}
  } catch {
    return {}
  }
}
