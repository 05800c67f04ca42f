/** Most of the requests: injected into a service in this process, without a socket. */
import type { Harness } from '../../server/test/harness.ts'
import type { ServiceResponse, Judge } from './judge-response.ts'
import { addFault, countResponse, describeRequest, type Counts } from './count-results.ts'
import type { HostileRequest } from './hostile-request.ts'
import { makeRequest } from './make-request.ts'
import type { Fixtures } from './create-fixtures.ts'

export interface Attack {
  fixtures: Fixtures
  seed: number
  judge: Judge
  counts: Counts
  /** The number of the next request; undefined: there are no more. */
  next: () => number | undefined
}

const LANES = 24

export async function injectRequests(app: Pick<Harness, 'inject'>, attack: Attack): Promise<void> {
  const lane = async () => {
    for (let at = attack.next(); at !== undefined; at = attack.next()) {
      const name = `inject ${at}`
      await injectOne(app, attack, makeRequest(attack.fixtures, attack.seed, name), name)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function injectOne(
  app: Pick<Harness, 'inject'>,
  { judge, counts }: Attack,
  request: HostileRequest,
  name: string,
) {
  const { method, target, body, kind } = request
  const injected = await app.inject({
    method,
    url: target,
    headers: toRecord(request.headers),
    ...(body && { payload: body }),
  })
  const { statusCode: status, headers, body: text } = injected
  counts.requests.injected++
  counts.kinds[kind] = (counts.kinds[kind] ?? 0) + 1
  const response: ServiceResponse = { status, headers: headers as ServiceResponse['headers'], text }
  countResponse(counts, request.route.name, `${status}${codeOf(response)}`)
  for (const fault of judge(request, response))
    addFault(counts, fault, `${name}: ${describeRequest(request)}`)
}

/** Repeated headers are joined, as Node's server joins them. */
function toRecord(headers: HostileRequest['headers']): Record<string, string> {
  const record: Record<string, string> = {}
  for (const [name, value] of headers) {
    record[name] = name in record ? `${record[name]}, ${value}` : value
  }
  return record
}

export function codeOf({ status, text }: ServiceResponse): string {
  const code = status < 400 ? undefined : /"code":"([A-Z_]+)"/.exec(text)?.[1]
  return code === undefined ? '' : ` ${code}`
}
