/** Writes fields as JSON and query strings, including values that a normal serializer cannot write. */
import { Raw } from '../../server/test/requests/values.ts'

/** Pairs instead of a record, because a key may appear twice. */
export type Fields = [string, unknown][]

export function writeJson(fields: Fields): string {
  return `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${writeValue(value)}`).join()}}`
}

function writeValue(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(writeValue).join()}]`
  if (typeof value === 'object' && value !== null) return writeJson(Object.entries(value))
  return JSON.stringify(value) ?? 'null'
}

export function writeQuery(fields: Fields): string {
  return fields.map(([key, value]) => `${escape(key)}=${escape(textOf(value))}`).join('&')
}

function textOf(value: unknown): string {
  if (value instanceof Raw) return value.text
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Like a browser, except that a lone surrogate is written as its (invalid) bytes. */
function escape(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text)
  return Array.from(text, (letter) =>
    letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80',
  ).join('')
}

/** Whether the text is allowed in a header; the rest is tested with raw bytes. */
export function isPrintable(text: string): boolean {
  return text.length < 3_000 && /^[\x20-\x7e]*$/.test(text)
}
