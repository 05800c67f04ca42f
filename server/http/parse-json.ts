/** JSON with a memory: an amount keeps the text that it was written with, so that no double ever decides on money. */
import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../service-error.ts'

const KEY = '"amount"'
const NUMERAL = /\s*:\s*(-?[0-9][0-9.eE+-]*)/y

/** Refuses what is not JSON, what is nested too deep to read, and keys that could reach a prototype. */
export function parseJson(bytes: Buffer): unknown {
  // Bytes that are not UTF-8 would all become the same replacement character, and two references one key.
  if (!isUtf8(bytes)) throw new ServiceError('INVALID_REQUEST')
  const text = bytes.toString()
  try {
    return isPlain(text) ? parsePlain(text) : JSON.parse(text, keepAmountText as Reviver)
  } catch {
    throw new ServiceError('INVALID_REQUEST')
  }
}

/**
 * A flat object without a backslash: every key stands in the text as it is, so if there is one "amount" and it is a
 * key, its numeral is what follows. A reviver, which the engine hands the source text, takes several times as long.
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

/** The engine's types do not know yet that a reviver is handed the source text. */
type Reviver = NonNullable<Parameters<typeof JSON.parse>[1]>

function keepAmountText(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw new SyntaxError('refused')
  if (typeof value === 'number' && key === 'amount') return context.source
  return value
}
