import { addFault, type Counts } from './count-results.ts'
import type { Fixtures } from './create-fixtures.ts'

/** Reads every log line of the service: it must contain no secret and no unhandled error. */
export function watchLog(
  { secrets, operatorsOnly }: Pick<Fixtures, 'secrets' | 'operatorsOnly'>,
  counts: Counts,
): (line: string) => void {
  const hidden = new RegExp(
    [...secrets, ...operatorsOnly].map((text) => RegExp.escape(text)).join('|'),
  )
  return (line) => {
    if (hidden.test(line))
      addFault(counts, 'a secret is in the log', line.replace(hidden, '[secret]'))
    if (line.includes('"msg":"unhandled error"')) addFault(counts, 'unhandled error', line)
    if (line.includes('"level":"fatal"')) addFault(counts, 'the service crashed', line)
  }
}
