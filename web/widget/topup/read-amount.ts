/** Reads what a person typed, digit by digit: nothing is rounded, and no floating point is involved. */
import { fromMinor, toMinor } from './format.ts'

export interface AmountRules {
  exponent: number
  minMinor: bigint
  maxMinor: bigint
  /** The decimal separator of the visitor's language. */
  decimalSign: string
}

export type AmountError = 'empty' | 'whole' | 'decimals' | 'tens' | 'small' | 'large'

/** The amount as decimal text with all its decimals, or an error. */
export function readAmount(
  typed: string,
  rules: AmountRules,
): { amount: string } | { error: AmountError } {
  const { exponent, minMinor, maxMinor } = rules
  const match = /^(\d+)(?:\.(\d*))?$/.exec(toDecimalText(typed, rules.decimalSign))
  if (match === null) return { error: 'empty' }
  const [, whole = '', decimals = ''] = match
  if (decimals.length > exponent) return { error: exponent === 0 ? 'whole' : 'decimals' }
  const minor = toMinor(`${whole}.${decimals}`, exponent)
  if (minor < minMinor) return { error: 'small' }
  if (minor > maxMinor) return { error: 'large' }
  // The processor takes currencies with three decimals in multiples of ten.
  if (exponent === 3 && minor % 10n !== 0n) return { error: 'tens' }
  return { amount: fromMinor(minor, exponent) }
}

/**
 * Up to U+FFFF, the digits of every script are in a row that starts at a multiple of 16, or 6 after one. Beyond it
 * they are not, so these stay as they are and are refused.
 */
function toLatinDigit(digit: string): string {
  if (digit.length > 1) return digit
  const code = digit.charCodeAt(0)
  const place = code % 16
  const isAligned = /\p{Nd}/u.test(String.fromCharCode(code - place))
  return String(isAligned ? place : place - 6)
}

/** Other digits and signs become 0–9 and a point; thousands separators are removed. */
export function toDecimalText(typed: string, decimalSign: string): string {
  const text = typed
    .replace(/\p{Nd}/gu, toLatinDigit)
    .replace(/[\s'\u2019\u066c]|\p{Sc}/gu, '')
    .replace(/\u066b/g, decimalSign === ',' ? ',' : '.')
  const decimal = decimalSign === ',' ? ',' : '.'
  const other = decimal === ',' ? '.' : ','
  const isGrouped = new RegExp(`^\\d{1,3}(\\${other}\\d{3})+(\\${decimal}\\d*)?$`).test(text)
  if (isGrouped) return text.replaceAll(other, '').replace(decimal, '.')
  // Where it cannot divide thousands, the other sign can only mean decimals.
  const usesOtherSeparators = new RegExp(`^\\d{1,3}(\\${decimal}\\d{3})+\\${other}\\d+$`).test(text)
  if (usesOtherSeparators) return text.replaceAll(decimal, '').replace(other, '.')
  return text.replace(text.includes(decimal) ? decimal : other, '.')
}
