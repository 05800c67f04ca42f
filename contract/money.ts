/**
 * Money: integer minor units inside (bigint), decimal text at the edges. No decision uses floating-point arithmetic.
 */

export interface Currency {
  code: string
  /** Digits after the decimal point by ISO 4217: 0, 2 or 3. */
  exponent: 0 | 2 | 3
}

const EXPONENT_0 = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const EXPONENT_3 = 'BHD IQD JOD KWD LYD OMR TND'
const EXPONENT_2 =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW'

export function findCurrency(code: string): Currency | undefined {
  const listed = (codes: string) => codes.split(' ').includes(code)
  if (listed(EXPONENT_2)) return { code, exponent: 2 }
  if (listed(EXPONENT_0)) return { code, exponent: 0 }
  if (listed(EXPONENT_3)) return { code, exponent: 3 }
  return undefined
}

/** A balance has at most 15 significant digits, so that a double carries it exactly. */
export const BALANCE_MAX_MINOR = 999_999_999_999_999n

/** The largest amount of one operation: 999 999 999.99 in major units, whatever the currency. */
export function amountMaxMinor(currency: Currency): bigint {
  if (currency.exponent === 0) return 999_999_999n
  return currency.exponent === 2 ? 99_999_999_999n : 999_999_999_990n
}

const GRAMMAR = {
  0: /^(0|[1-9]\d{0,8})$/,
  2: /^(0|[1-9]\d{0,8})(?:\.(\d{1,2}))?$/,
  3: /^(0|[1-9]\d{0,8})(?:\.(\d{1,3}))?$/,
} as const

/**
 * Reads an amount from its source text. Returns undefined for anything but a plain decimal numeral within the
 * bound: no sign, no exponent, no leading zero, no more decimals than the currency has. Nothing is ever rounded.
 */
export function parseAmount(text: string, currency: Currency): bigint | undefined {
  const match = GRAMMAR[currency.exponent].exec(text)
  if (match === null) return undefined
  const minor = BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(currency.exponent, '0'))
  return minor <= amountMaxMinor(currency) ? minor : undefined
}

/** Decimal text in major units with all the currency's decimals: 1999n → "19.99". */
export function formatAmount(minor: bigint, currency: Currency): string {
  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(currency.exponent + 1, '0')
  if (currency.exponent === 0) return sign + digits
  return `${sign}${digits.slice(0, -currency.exponent)}.${digits.slice(-currency.exponent)}`
}

/**
 * The JSON number of the wire. Both operands are integers that a double holds exactly and IEEE division rounds
 * correctly, so the result is the double nearest to the decimal and prints as that decimal again.
 */
export function toWireNumber(minor: bigint, currency: Currency): number {
  return Number(minor) / 10 ** currency.exponent
}
