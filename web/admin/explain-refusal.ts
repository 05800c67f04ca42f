/** `ui/explain-refusal.ts` with the texts of the admin area. */
import { explainInOneText, explainRefusal as explain } from '../ui/explain-refusal.ts'
import type { NoResponse, Refusal } from '../ui/request.ts'
import type { Explanation } from '../ui/use-form.ts'
import { words } from './messages.ts'

export function explainRefusal(
  result: Refusal | NoResponse,
  fields: readonly string[] = [],
): Explanation {
  return explain(result, words, fields)
}

/** For a button without a form. */
export function explainInOne(result: Refusal | NoResponse): string {
  return explainInOneText(result, words)
}
