/** What was sent, what was answered, and what was wrong with it. */
import type { Shot } from './shot.ts'

export interface Score {
  requests: { injected: number; sockets: number }
  kinds: Record<string, number>
  /** By route, then by status and code. */
  answers: Record<string, Record<string, number>>
  faults: Record<string, { times: number; examples: string[] }>
}

const EXAMPLES_MAX = 5

export function emptyScore(): Score {
  return { requests: { injected: 0, sockets: 0 }, kinds: {}, answers: {}, faults: {} }
}

export function countAnswer(score: Score, route: string, answer: string) {
  const answers = (score.answers[route] ??= {})
  answers[answer] = (answers[answer] ?? 0) + 1
}

export function addFault(score: Score, fault: string, example: string) {
  const known = (score.faults[fault] ??= { times: 0, examples: [] })
  known.times++
  if (known.examples.length < EXAMPLES_MAX) known.examples.push(example.slice(0, 1_000))
}

export function addScore(sum: Score, score: Score) {
  sum.requests.injected += score.requests.injected
  sum.requests.sockets += score.requests.sockets
  for (const [kind, times] of Object.entries(score.kinds)) {
    sum.kinds[kind] = (sum.kinds[kind] ?? 0) + times
  }
  for (const [route, answers] of Object.entries(score.answers)) {
    const known = (sum.answers[route] ??= {})
    for (const [answer, times] of Object.entries(answers)) {
      known[answer] = (known[answer] ?? 0) + times
    }
  }
  for (const [fault, { times, examples }] of Object.entries(score.faults)) {
    for (const example of examples) addFault(sum, fault, example)
    const known = sum.faults[fault]
    if (known) known.times += times - examples.length
  }
}

/** Enough to send it again. */
export function describeShot({ method, target, headers, body }: Shot): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join(' | ')
  const text = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 400))}`
  return `${method} ${target.slice(0, 300)} [${lines.slice(0, 300)}]${text}`
}
