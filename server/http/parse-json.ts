/** JSON with a memory: amounts keep the text that they were written with, so that no double ever decides on money. */

import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../service-error.ts'

const AMOUNT_FIELDS = new Set(['amount'])

/** Refuses what is not JSON, what is nested too deep to read, and keys that could reach a prototype. */
export function parseJson(bytes: Buffer): unknown {
  // Bytes that are not UTF-8 would all become the same replacement character, and two references one key.
  if (!isUtf8(bytes)) throw new ServiceError('INVALID_REQUEST')
  try {
    return JSON.parse(bytes.toString(), keepAmountText as Parameters<typeof JSON.parse>[1])
  } catch {
    throw new ServiceError('INVALID_REQUEST')
  }
}

function keepAmountText(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') throw new SyntaxError('refused')
  if (typeof value === 'number' && AMOUNT_FIELDS.has(key)) return context.source
  return value
}
