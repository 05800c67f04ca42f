/** Writes amounts of the one currency as the visitor writes them. Inside, an amount is decimal text or minor units. */

export interface AmountFormat {
  /** "$25.00" */
  full: (amount: string | number) => string
  /** "$25", and "$2.50" where the decimals are not zero. */
  short: (amount: string) => string
  /** "25.00", as it is typed. */
  plain: (amount: string) => string
  symbol: string
  isSymbolFirst: boolean
  decimalSign: string
}

export function createAmountFormat(
  locales: readonly string[],
  currency: string,
  exponent: number,
): AmountFormat {
  const list = [...locales]
  // The browser's own idea of a currency's decimals differs for a few of them.
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  const money = { style: 'currency', currency } as const
  const full = new Intl.NumberFormat(list, { ...money, ...digits })
  const whole = new Intl.NumberFormat(list, { ...money, maximumFractionDigits: 0 })
  const plain = new Intl.NumberFormat(list, { ...digits, useGrouping: false })
  const parts = full.formatToParts(1.1)
  const kinds = parts.map(({ type }) => type)
  const decimals = new Intl.NumberFormat(list).formatToParts(1.1)
  return {
    full: (amount) => full.format(Number(amount)),
    short: (amount) => breakable((/[.]0*[1-9]/.test(amount) ? full : whole).format(Number(amount))),
    plain: (amount) => plain.format(Number(amount)),
    symbol: parts.find(({ type }) => type === 'currency')?.value ?? currency,
    isSymbolFirst: kinds.indexOf('currency') < kinds.indexOf('integer'),
    decimalSign: decimals.find(({ type }) => type === 'decimal')?.value ?? '.',
  }
}

/** A long currency name can be on its own line. */
function breakable(text: string): string {
  return text.replace(/\s/g, ' ')
}

/** "12.5" → 1250n. The text has no more decimals than the currency. */
export function toMinor(amount: string, exponent: number): bigint {
  const [whole = '', decimals = ''] = amount.split('.')
  return BigInt(whole + decimals.padEnd(exponent, '0'))
}

/** Where the processor counts in other units than ISO 4217. */
const DECIMALS: Record<string, number> = { isk: 2, ugx: 2, mga: 0 }

/** The amount of a payment at the processor, as decimal text. */
export function amountOf(intent: { amount: number; currency: string }, exponent: number): string {
  return fromMinor(BigInt(intent.amount), DECIMALS[intent.currency] ?? exponent)
}

/** 1250n → "12.50" */
export function fromMinor(minor: bigint, exponent: number): string {
  const digits = minor.toString().padStart(exponent + 1, '0')
  if (exponent === 0) return digits
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
