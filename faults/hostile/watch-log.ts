import { addFault, type Score } from './count-results.ts'
import type { Fixtures } from './create-fixtures.ts'

/** Reads every line that the service logs: no secret stands there, and nothing that nobody foresaw. */
export function watchLog(
  { secrets, privates }: Pick<Fixtures, 'secrets' | 'privates'>,
  score: Score,
): (line: string) => void {
  const hidden = new RegExp([...secrets, ...privates].map((text) => RegExp.escape(text)).join('|'))
  return (line) => {
    if (hidden.test(line))
      addFault(score, 'a secret is in the log', line.replace(hidden, '[secret]'))
    if (line.includes('"msg":"unforeseen"')) addFault(score, 'unforeseen', line)
    if (line.includes('"level":60')) addFault(score, 'the service ended by a fault', line)
  }
}
