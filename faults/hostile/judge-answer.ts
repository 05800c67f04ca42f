/** Whether an answer is one that the contract foresees, whatever was asked. */
import { ERRORS, type ErrorCode, type ErrorEntry } from '@coffer/contract/errors'
import { listEndpoints } from './list-routes.ts'
import type { Shot } from './shot.ts'
import type { House } from './open-house.ts'

export interface Answer {
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
const INNARDS = /\n\s+at |node_modules|\.ts:\d|DatabaseError|syntax error|FST_ERR|ECONN|\bENOENT\b/
const FIELDS = new Set(['error', 'code', 'requiresAuth', 'field'])
const REFUSED_DELIBERATELY = new Set(['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN'])
const BODILESS = new Set([400, 404, 431])
/** Every status that a code has somewhere. */
const STATUSES = new Map(
  Object.entries(ERRORS).map(([code, { status }]) => {
    const others = listEndpoints().map(({ endpoint }) => endpoint?.errors[code as ErrorCode])
    return [code, [status, ...others.flatMap((each) => each?.status ?? [])]]
  }),
)
/** Told before it is known what was asked for. */
const CODELESS = new Set([408, 431])
/** Documents of ours are searched for secrets by their first part: they are the same for everybody. */
const SEARCHED = 64 * 1024

export type Judge = (shot: Shot, answer: Answer) => string[]

/** `privates` are for operators' eyes. */
export function createJudge({ secrets, privates }: Pick<House, 'secrets' | 'privates'>): Judge {
  const toPattern = (texts: readonly string[]) =>
    new RegExp(texts.map((text) => RegExp.escape(text)).join('|'))
  const forAdmin = toPattern(secrets)
  const forOthers = toPattern([...secrets, ...privates])
  return (shot, answer) => [
    ...judgeHeaders(answer),
    ...(answer.status >= 400 ? judgeRefusal(shot, answer) : judgeSuccess(shot, answer)),
    ...((shot.route.door === 'admin' ? forAdmin : forOthers).test(answer.text.slice(0, SEARCHED))
      ? ['a secret is in the answer']
      : []),
  ]
}

function judgeHeaders({ headers }: Answer): string[] {
  const faults = Object.entries(ALWAYS)
    .filter(([name, form]) => !form.test(String(headers[name] ?? '')))
    .map(([name]) => `the header ${name} is ${String(headers[name])}`)
  const extra = NEVER.filter((name) => headers[name] !== undefined)
  return [...faults, ...extra.map((name) => `there is a header ${name}`)]
}

function judgeRefusal(shot: Shot, { status, headers, text }: Answer): string[] {
  // It has the headers of the answer to a GET, and no body.
  if (shot.method === 'HEAD') {
    return BODILESS.has(status) ? [] : [`HEAD is answered with ${status}`]
  }
  if (!String(headers['content-type']).startsWith('application/json')) {
    return [`a refusal (${status}) is ${String(headers['content-type'])}`]
  }
  const body = readObject(text)
  if (body === undefined) return [`a refusal (${status}) is no JSON object`]
  const faults = INNARDS.test(text) ? [`a refusal tells of our innards: ${text}`] : []
  const code = String(body['code'])
  if (status >= 500 && !(status === 503 && REFUSED_DELIBERATELY.has(code))) {
    return [...faults, `${status} ${code}`]
  }
  return [...faults, ...judgeCode(shot, status, code, body)]
}

function judgeCode(
  { route, isAimed }: Shot,
  status: number,
  code: string,
  body: Record<string, unknown>,
): string[] {
  const table: Record<string, ErrorEntry | undefined> = ERRORS
  const entry = table[code]
  if (CODELESS.has(status) && !('code' in body)) return []
  if (entry === undefined) return [`${status} with an unknown code ${code}`]
  const endpoint = isAimed ? route.endpoint : undefined
  const promised = endpoint?.errors[code as ErrorCode]
  if (endpoint && promised === undefined) return [`${status} ${code} is not promised`]
  const faults: string[] = []
  const statuses = endpoint ? [promised?.status ?? entry.status] : STATUSES.get(code)
  if (!statuses?.includes(status)) faults.push(`${code} with status ${status}`)
  if (!String(body['error']).startsWith(entry.text)) faults.push(`${code} with another text`)
  const strange = Object.keys(body).filter((key) => !FIELDS.has(key))
  return [...faults, ...strange.map((key) => `a refusal has a field ${key}`)]
}

function judgeSuccess({ route, isAimed, method }: Shot, { status, headers, text }: Answer) {
  const type = String(headers['content-type'])
  if (status !== 200) return status === 304 || status === 206 ? [] : [`status ${status}`]
  const { endpoint } = route
  if (endpoint === undefined || !isAimed) {
    const hasPolicy = headers['content-security-policy'] !== undefined
    return type.startsWith('text/html') && !hasPolicy ? ['a page without a policy'] : []
  }
  if (method !== endpoint.method) return [`${method} succeeded`]
  if (endpoint.path.endsWith('.csv')) return type.startsWith('text/csv') ? [] : [`CSV as ${type}`]
  const body = readObject(text)
  const isFitting = body !== undefined && endpoint.answer.safeParse(body).success
  return isFitting ? [] : ['a success does not have the shape of the contract']
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
