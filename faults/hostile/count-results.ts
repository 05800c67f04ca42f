/** Counts requests, responses and errors. */
import type { HostileRequest } from './hostile-request.ts'

export interface Counts {
  requests: { injected: number; sockets: number }
  kinds: Record<string, number>
  /** By route, then by status and code. */
  responses: Record<string, Record<string, number>>
  faults: Record<string, { times: number; examples: string[] }>
}

const EXAMPLES_MAX = 5

export function emptyCounts(): Counts {
  return { requests: { injected: 0, sockets: 0 }, kinds: {}, responses: {}, faults: {} }
}

export function countResponse(counts: Counts, route: string, response: string) {
  const responses = (counts.responses[route] ??= {})
  responses[response] = (responses[response] ?? 0) + 1
}

export function addFault(counts: Counts, fault: string, example: string) {
  const known = (counts.faults[fault] ??= { times: 0, examples: [] })
  known.times++
  if (known.examples.length < EXAMPLES_MAX) known.examples.push(example.slice(0, 1_000))
}

export function addCounts(sum: Counts, counts: Counts) {
  sum.requests.injected += counts.requests.injected
  sum.requests.sockets += counts.requests.sockets
  for (const [kind, times] of Object.entries(counts.kinds)) {
    sum.kinds[kind] = (sum.kinds[kind] ?? 0) + times
  }
  for (const [route, responses] of Object.entries(counts.responses)) {
    const known = (sum.responses[route] ??= {})
    for (const [response, times] of Object.entries(responses)) {
      known[response] = (known[response] ?? 0) + times
    }
  }
  for (const [fault, { times, examples }] of Object.entries(counts.faults)) {
    for (const example of examples) addFault(sum, fault, example)
    const known = sum.faults[fault]
    if (known) known.times += times - examples.length
  }
}

/** Enough to send the request again. */
export function describeRequest({ method, target, headers, body }: HostileRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join(' | ')
  const text = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 400))}`
  return `${method} ${target.slice(0, 300)} [${lines.slice(0, 300)}]${text}`
}
