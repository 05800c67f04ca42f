/** The bulk: the service in this process, spoken to without a socket. */
import type { Harness } from '../../server/test/harness.ts'
import type { Answer, Judge } from './judge-answer.ts'
import { addFault, countAnswer, describeShot, type Score } from './keep-score.ts'
import { makeShot } from './make-shot.ts'
import type { Shot } from './shot.ts'
import type { House } from './open-house.ts'

export interface Attack {
  house: House
  seed: number
  judge: Judge
  score: Score
  /** The number of the next request; undefined: that was all. */
  next: () => number | undefined
}

const LANES = 24

export async function injectShots(app: Pick<Harness, 'inject'>, attack: Attack): Promise<void> {
  const lane = async () => {
    for (let at = attack.next(); at !== undefined; at = attack.next()) {
      const name = `inject ${at}`
      await injectOne(app, attack, makeShot(attack.house, attack.seed, name), name)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function injectOne(
  app: Pick<Harness, 'inject'>,
  { judge, score }: Attack,
  shot: Shot,
  name: string,
) {
  const { method, target, body, kind } = shot
  const response = await app.inject({
    method,
    url: target,
    headers: toRecord(shot.headers),
    ...(body && { payload: body }),
  })
  const { statusCode: status, headers, body: text } = response
  score.requests.injected++
  score.kinds[kind] = (score.kinds[kind] ?? 0) + 1
  const answer: Answer = { status, headers: headers as Answer['headers'], text }
  countAnswer(score, shot.route.name, `${status}${codeOf(answer)}`)
  for (const fault of judge(shot, answer)) addFault(score, fault, `${name}: ${describeShot(shot)}`)
}

/** What stands there twice is joined, as Node's server joins it. */
function toRecord(headers: Shot['headers']): Record<string, string> {
  const record: Record<string, string> = {}
  for (const [name, value] of headers) {
    record[name] = name in record ? `${record[name]}, ${value}` : value
  }
  return record
}

export function codeOf({ status, text }: Answer): string {
  const code = status < 400 ? undefined : /"code":"([A-Z_]+)"/.exec(text)?.[1]
  return code === undefined ? '' : ` ${code}`
}
