/** Sends requests to our own API, typed by the endpoints of the contract. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorBody, ErrorCode } from '@coffer/contract/errors'

export type InputOf<E extends Endpoint> = E['input']['_zod']['input']
export type ResponseOf<E extends Endpoint> = E['response']['_zod']['output']

/** The endpoints of a contract by method and path, such as `POST /api/account/log-in`. */
type ByMethodAndPath<Contract> = {
  [
    Name in keyof Contract as Contract[Name] extends Endpoint
      ? `${Contract[Name]['method']} ${Contract[Name]['path']}`
      : never
  ]: Contract[Name]
}

type EndpointAt<Contract, MethodAndPath extends keyof ByMethodAndPath<Contract>> = Extract<
  ByMethodAndPath<Contract>[MethodAndPath],
  Endpoint
>

type InputArguments<Input> = Record<string, never> extends Input ? [input?: Input] : [input: Input]

/** Calls an endpoint: `call('POST /api/account/log-in', { email, password })`. */
export type CallOf<Contract> = <MethodAndPath extends keyof ByMethodAndPath<Contract>>(
  endpoint: MethodAndPath,
  ...input: InputArguments<InputOf<EndpointAt<Contract, MethodAndPath>>>
) => Promise<Result<ResponseOf<EndpointAt<Contract, MethodAndPath>>>>

/** Types a function that sends any request for the endpoints of one contract. */
export function createCall<Contract>(
  send: (endpoint: string, input?: object) => Promise<Result<unknown>>,
): CallOf<Contract> {
  return send as CallOf<Contract>
}

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
  /** Query parameters of a POST, beside its body. */
  query?: object
  deadlineMs?: number | undefined
}

/** For endpoints with a deadline of their own: the server responds to each within 18 s. */
export const SLOW_MS = 20_000

/** `endpoint` is its method and path. */
export async function request(
  endpoint: string,
  input: object = {},
  { credentials = 'omit', query = {}, deadlineMs = 10_000 }: RequestOptions = {},
): Promise<Result<unknown>> {
  const [method = '', path = ''] = endpoint.split(' ')
  const isGet = method === 'GET'
  try {
    // The mode stays "cors", the default: with "same-origin" and our referrer policy the browser
    // would send `Origin: null`, and the server refuses that.
    const response = await fetch(path + toQuery(isGet ? input : query), {
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
    if (response.ok && body !== null) return { ok: true, data: body }
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
