import { addFault, type Score } from './count-results.ts'
import type { Fixtures } from './create-fixtures.ts'

/** Reads every log line of the service: it must contain no secret and no unhandled error. */
export function watchLog(
  { secrets, privates }: Pick<Fixtures, 'secrets' | 'privates'>,
  score: Score,
): (line: string) => void {
  const hidden = new RegExp([...secrets, ...privates].map((text) => RegExp.escape(text)).join('|'))
  return (line) => {
    if (hidden.test(line))
      addFault(score, 'a secret is in the log', line.replace(hidden, '[secret]'))
    if (line.includes('"msg":"unhandled error"')) addFault(score, 'unhandled error', line)
    if (line.includes('"level":"fatal"')) addFault(score, 'the service crashed', line)
  }
}
