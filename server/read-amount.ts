/** Reads the amount that a field of a request contains. */
import { amountMaxMinor, formatAmount, parseAmount, type Currency } from '@coffer/contract/money'
import { InvalidAmount } from './service-error.ts'

export function readAmount(field: string, text: string, currency: Currency): bigint {
  const amountMinor = parseAmount(text, currency)
  if (amountMinor) return amountMinor
  throw refuse(field, 'positive and', currency)
}

export function readAmountOrZero(field: string, text: string, currency: Currency): bigint {
  const amountMinor = parseAmount(text, currency)
  if (amountMinor !== undefined) return amountMinor
  throw refuse(field, '0 or more, and', currency)
}

function refuse(field: string, least: string, currency: Currency): InvalidAmount {
  const { exponent } = currency
  const most = formatAmount(amountMaxMinor(currency), currency)
  const example = formatAmount(1999n, currency)
  const decimals = exponent === 0 ? 'no decimals' : `at most ${exponent} decimals`
  const must = `must be ${least} at most ${most}: a decimal number or string with ${decimals} and no exponent`
  return new InvalidAmount(
    field,
    `The field ${field} ${must}, such as ${example}. Amounts are never rounded.`,
  )
}
