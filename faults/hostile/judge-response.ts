/** Checks whether a response follows the contract, whatever the request was. */
import { ERRORS, type ErrorCode, type ErrorEntry } from '@coffer/contract/errors'
import { listEndpoints } from './list-routes.ts'
import type { HostileRequest } from './hostile-request.ts'
import type { Fixtures } from './create-fixtures.ts'

export interface ServiceResponse {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  text: string
}

const ALWAYS: Record<string, RegExp> = {
  'api-version': /^\d/,
  'cache-control': /./,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /./,
  'referrer-policy': /^(no-referrer|strict-origin)$/,
  'strict-transport-security': /^max-age=/,
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /^[0-9a-f-]{36}$/,
}
const NEVER = ['server', 'x-powered-by', 'access-control-allow-origin', 'x-injected']
const INTERNALS =
  /\n\s+at |node_modules|\.ts:\d|DatabaseError|syntax error|FST_ERR|ECONN|\bENOENT\b/
const FIELDS = new Set(['error', 'code', 'requiresAuth', 'field', 'original'])
const REFUSED_DELIBERATELY = new Set(['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN'])
/** All statuses that a code has in any endpoint. */
const STATUSES = new Map(
  Object.entries(ERRORS).map(([code, { status }]) => {
    const others = listEndpoints().map(({ endpoint }) => endpoint?.errors[code as ErrorCode])
    return [code, [status, ...others.flatMap((each) => each?.status ?? [])]]
  }),
)
/** All texts that a code has in any endpoint. */
const TEXTS = new Map(
  Object.entries(ERRORS).map(([code, { text }]) => {
    const others = listEndpoints().map(({ endpoint }) => endpoint?.errors[code as ErrorCode])
    return [code, [text, ...others.flatMap((each) => each?.text ?? [])]]
  }),
)
/** Beginnings of the texts that say what was wrong with a request. */
const SPECIFIC: Partial<Record<string, RegExp>> = {
  INVALID_AMOUNT: /^Invalid amount\. /,
  INVALID_CLIENT:
    /^(No credentials were sent|The client(Id|Secret) was not sent|The header Authorization is not valid HTTP Basic)\. /,
}
/** Sent before the request is known. */
const CODELESS = new Set([408, 431])
/** Only the first part of our documents is searched for secrets: they are the same for every caller. */
const SEARCHED = 64 * 1024

export type Judge = (request: HostileRequest, response: ServiceResponse) => string[]

/** `operatorsOnly` may be seen by operators only. */
export function createJudge({
  secrets,
  operatorsOnly,
}: Pick<Fixtures, 'secrets' | 'operatorsOnly'>): Judge {
  const toPattern = (texts: readonly string[]) =>
    new RegExp(texts.map((text) => RegExp.escape(text)).join('|'))
  const forAdmin = toPattern(secrets)
  const forOthers = toPattern([...secrets, ...operatorsOnly])
  return (request, response) => [
    ...judgeHeaders(request, response),
    ...(response.status >= 400 ? judgeRefusal(request, response) : judgeSuccess(request, response)),
    ...((request.route.caller === 'operator' ? forAdmin : forOthers).test(
      response.text.slice(0, SEARCHED),
    )
      ? ['a secret is in the response']
      : []),
  ]
}

/** Pages of the documentation have no origin, so every origin may load their scripts and styles. */
const LOADED_BY_PAGES = /^text\/(javascript|css)|^image\//

function judgeHeaders({ target }: HostileRequest, { headers }: ServiceResponse): string[] {
  const isLoaded = LOADED_BY_PAGES.test(String(headers['content-type'])) && /\/docs\//.test(target)
  const isOpen = isLoaded && headers['cross-origin-resource-policy'] === 'cross-origin'
  const faults = Object.entries(ALWAYS)
    .filter(([name]) => !isOpen || name !== 'cross-origin-resource-policy')
    .filter(([name, form]) => !form.test(String(headers[name] ?? '')))
    .map(([name]) => `the header ${name} is ${String(headers[name])}`)
  const extra = NEVER.filter((name) => headers[name] !== undefined)
  return [...faults, ...extra.map((name) => `the header ${name} must not be there`)]
}

function judgeRefusal(
  request: HostileRequest,
  { status, headers, text }: ServiceResponse,
): string[] {
  // It has the headers of the response to a GET, and no body.
  if (request.method === 'HEAD') return status < 500 ? [] : [`HEAD returns ${status}`]
  if (!String(headers['content-type']).startsWith('application/json')) {
    return [`a refusal (${status}) is ${String(headers['content-type'])}`]
  }
  const body = readObject(text)
  if (body === undefined) return [`a refusal (${status}) is not a JSON object`]
  const faults = INTERNALS.test(text) ? [`a refusal reveals internals: ${text}`] : []
  const code = String(body['code'])
  if (status >= 500 && !(status === 503 && REFUSED_DELIBERATELY.has(code))) {
    return [...faults, `${status} ${code}`]
  }
  return [...faults, ...judgeCode(request, status, code, body)]
}

function judgeCode(
  { route, isAimed }: HostileRequest,
  status: number,
  code: string,
  body: Record<string, unknown>,
): string[] {
  const table: Record<string, ErrorEntry | undefined> = ERRORS
  const entry = table[code]
  if (CODELESS.has(status) && !('code' in body)) return []
  if (entry === undefined) return [`${status} with an unknown code ${code}`]
  const endpoint = isAimed ? route.endpoint : undefined
  const listed = endpoint?.errors[code as ErrorCode]
  if (endpoint && listed === undefined) return [`${status} ${code} is not in the contract`]
  const faults: string[] = []
  const statuses = endpoint ? [listed?.status ?? entry.status] : STATUSES.get(code)
  if (!statuses?.includes(status)) faults.push(`${code} with status ${status}`)
  const texts = endpoint ? [listed?.text ?? entry.text] : (TEXTS.get(code) ?? [])
  const shown = String(body['error'])
  if (!texts.some((text) => shown.startsWith(text)) && !SPECIFIC[code]?.test(shown))
    faults.push(`${code} with a different text`)
  const strange = Object.keys(body).filter((key) => !FIELDS.has(key))
  return [...faults, ...strange.map((key) => `a refusal has a field ${key}`)]
}

function judgeSuccess(
  { route, isAimed, isForeign, method }: HostileRequest,
  { status, headers, text }: ServiceResponse,
) {
  const type = String(headers['content-type'])
  if (status !== 200) return status === 304 || status === 206 ? [] : [`status ${status}`]
  if (isForeign && isAimed) return ['an id of another client app was accepted']
  const { endpoint } = route
  if (endpoint === undefined || !isAimed) {
    const hasPolicy = headers['content-security-policy'] !== undefined
    return type.startsWith('text/html') && !hasPolicy ? ['a page without a policy'] : []
  }
  if (method !== endpoint.method) return [`${method} succeeded`]
  if (endpoint.path.endsWith('.csv')) return type.startsWith('text/csv') ? [] : [`CSV as ${type}`]
  const bodies = endpoint.isNdjson ? text.split('\n').slice(0, -1) : [text]
  const isFitting = bodies.map(readObject).every((body) => {
    return body !== undefined && endpoint.response.safeParse(body).success
  })
  return isFitting ? [] : ['a success does not match the contract']
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
