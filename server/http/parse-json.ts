/** Parses JSON and keeps the original text of an amount, so that amounts are never converted to a double. */
import { isUtf8 } from 'node:buffer'
import { InvalidRequest } from '../service-error.ts'

const KEY = '"amount"'
const PROTO = '"__proto__"'
const NUMERAL = /\s*:\s*(-?[0-9][0-9.eE+-]*)/y
const COLON = /[ \t\n\r]*:[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9.eE+-])/y

/** Refuses invalid JSON, too deep nesting, and keys that could change a prototype. */
export function parseJson(bytes: Buffer): unknown {
  // Invalid UTF-8 would become replacement characters, and two different references could become equal.
  if (!isUtf8(bytes)) throw new InvalidRequest('The body is not valid UTF-8.')
  const text = bytes.toString()
  try {
    return isPlain(text) ? parsePlain(text) : JSON.parse(quoteAmounts(text))
  } catch {
    throw new InvalidRequest('The body is not valid JSON.')
  }
}

/**
 * For a flat object without a backslash: every key appears literally in the text, so if there is one "amount" and it is
 * a key, its number follows it.
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

/** Each character of a name can be an escape of six characters. */
const ESCAPED_NAME_MAX = 2 + 6 * '__proto__'.length
const DEPTH_MAX = 100
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Writes every number that is an amount as a string, so that JSON.parse keeps its text. A reviver that gets the source
 * text takes many times as long: for a large body that is built for it, seconds. The text stays as valid or invalid as
 * it was.
 */
function quoteAmounts(text: string): string {
  let quoted = ''
  let copied = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--
    if (depth > DEPTH_MAX) throw new SyntaxError('refused')
    if (code !== QUOTE) continue
    const end = findEnd(text, at)
    const literal = end - at > ESCAPED_NAME_MAX ? '' : text.slice(at, end)
    if (literal === KEY || literal === PROTO || literal.includes('\\')) {
      const value = findValue(text, end)
      const number = value > 0 && isAmount(literal) ? readNumber(text, value) : ''
      if (number !== '') {
        quoted += `${text.slice(copied, value)}"${number}"`
        copied = value + number.length
      }
    }
    at = end - 1
  }
  return quoted + text.slice(copied)
}

/** The position after the string that starts here. */
function findEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at++
  }
  return text.length
}

/** The position of the value, if the string that ends here is a key; otherwise 0. */
function findValue(text: string, end: number): number {
  COLON.lastIndex = end
  return COLON.test(text) ? COLON.lastIndex : 0
}

/** Refuses a key that could change a prototype. */
function isAmount(key: string): boolean {
  const name: unknown = JSON.parse(key)
  if (name === '__proto__') throw new SyntaxError('refused')
  return name === 'amount'
}

function readNumber(text: string, start: number): string {
  NUMBER.lastIndex = start
  return NUMBER.exec(text)?.[0] ?? ''
}
