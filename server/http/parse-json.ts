/** Parses JSON and keeps the original text of an amount, so that amounts are never converted to a double. */
import { isUtf8 } from 'node:buffer'
import { InvalidRequest } from '../service-error.ts'

const KEY = '"amount"'
const NUMERAL = /\s*:\s*(-?[0-9][0-9.eE+-]*)/y

/** Refuses invalid JSON, too deep nesting, and keys that could change a prototype. */
export function parseJson(bytes: Buffer): unknown {
  // Invalid UTF-8 would become replacement characters, and two different references could become equal.
  if (!isUtf8(bytes)) throw new InvalidRequest('The body is not valid UTF-8.')
  const text = bytes.toString()
  try {
    return isPlain(text) ? parsePlain(text) : JSON.parse(text, keepAmountText as Reviver)
  } catch {
    throw new InvalidRequest('The body is not valid JSON.')
  }
}

/**
 * For a flat object without a backslash: every key appears literally in the text, so if there is one "amount" and it is
 * a key, its number follows it. A reviver with the source text takes several times as long.
 */
function isPlain(text: string): boolean {
  const isFlat = text.indexOf('{') === text.lastIndexOf('{') && !text.includes('[')
  const isLiteral = !text.includes('\\') && !text.includes('__proto__')
  return isFlat && isLiteral && text.indexOf(KEY) === text.lastIndexOf(KEY)
}

function parsePlain(text: string): unknown {
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null || !('amount' in body)) return body
  if (typeof body.amount !== 'number') return body
  NUMERAL.lastIndex = text.indexOf(KEY) + KEY.length
  body.amount = NUMERAL.exec(text)?.[1]
  return body
}

/** The types lack the source text that the engine passes to a reviver. */
type Reviver = NonNullable<Parameters<typeof JSON.parse>[1]>

function keepAmountText(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw new SyntaxError('refused')
  if (typeof value === 'number' && key === 'amount') return context.source
  return value
}
