/** Sends a request to our own API, typed by the contract's endpoint: `request<typeof logIn>('POST', path, input)`. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorBody, ErrorCode } from '@coffer/contract/errors'

export type InputOf<E extends Endpoint> = E['input']['_zod']['input']
export type ResponseOf<E extends Endpoint> = E['response']['_zod']['output']

export interface Refusal {
  ok: false
  offline: false
  status: number
  code: ErrorCode | undefined
  /** The text of the server, for a code that this page does not know. */
  text: string | undefined
  field: string | undefined
  retryAfterSeconds: number | undefined
}

/** No response: no network, no server, or a timeout. */
export interface NoResponse {
  ok: false
  offline: true
}

export type Result<Output> = { ok: true; data: Output } | Refusal | NoResponse

interface RequestOptions {
  /** The widget has no cookies; first-party pages do. */
  credentials?: 'omit' | 'same-origin'
  deadlineMs?: number | undefined
}

/** For endpoints with a deadline of their own: the server responds to each within 18 s. */
export const SLOW_MS = 20_000

export async function request<E extends Endpoint>(
  method: E['method'],
  path: E['path'] | `${E['path']}?${string}`,
  input: InputOf<E>,
  { credentials = 'omit', deadlineMs = 10_000 }: RequestOptions = {},
): Promise<Result<ResponseOf<E>>> {
  const isGet = method === 'GET'
  try {
    // The mode stays "cors", the default: with "same-origin" and our referrer policy the browser
    // would send `Origin: null`, and the server refuses that.
    const response = await fetch(isGet ? `${path}${toQuery(input)}` : path, {
      method,
      credentials,
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
      ...(!isGet && {
        headers: {
          'content-type': 'application/json',
          // For an email that the request causes: in the language of the page.
          'accept-language': document.documentElement.lang,
        },
        body: JSON.stringify(input),
      }),
    })
    const body: unknown = await response.json().catch(() => null)
    if (response.ok && body !== null) return { ok: true, data: body as ResponseOf<E> }
    return toRefusal(response, body as Partial<ErrorBody> | null)
  } catch {
    return { ok: false, offline: true }
  }
}

export function toQuery(input: object): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

export function toRefusal(response: Response, body: Partial<ErrorBody> | null): Refusal {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    ok: false,
    offline: false,
    status: response.status,
    code: body?.code as ErrorCode | undefined,
    text: body?.error,
    field: body?.field,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  }
}
