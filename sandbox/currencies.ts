import { invalidRequest } from './stripe-error.ts'

/** Stripe's published minimum charge, in minor units, where it is not 50. */
const MINIMUM: Record<string, number> = {
  aed: 200,
  bgn: 100,
  czk: 1500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
  // Stripe publishes no minimum for three-decimal currencies; these are about half a dollar.
  bhd: 190,
  jod: 360,
  kwd: 160,
  omr: 200,
  tnd: 1500,
}

const THREE_DECIMALS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
const ZERO_DECIMALS = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
)
const SUPPORTED = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

export function exponentOf(currency: string): number {
  if (ZERO_DECIMALS.has(currency)) return 0
  return THREE_DECIMALS.has(currency) ? 3 : 2
}

export function describeAmount(amount: number, currency: string): string {
  const major = amount / 10 ** exponentOf(currency)
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  return `${major.toLocaleString('en-US', style)} ${currency}`
}

export function checkCurrency(currency: string): string {
  const code = currency.toLowerCase()
  if (SUPPORTED.has(code)) return code
  throw invalidRequest(`Invalid currency: ${code}.`, { param: 'currency' })
}

export function checkAmount(amount: number, currency: string): number {
  const minimum = MINIMUM[currency] ?? 50
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.'
    throw invalidRequest(message, { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (amount < minimum) {
    const message = `Amount must be at least ${describeAmount(minimum, currency)}`
    throw invalidRequest(message, { code: 'amount_too_small', param: 'amount' })
  }
  if (amount > 99_999_999) {
    const message = `Amount must be no more than ${describeAmount(99_999_999, currency)}`
    throw invalidRequest(message, { code: 'amount_too_large', param: 'amount' })
  }
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0) {
    const message = `Amounts in ${currency} must be a multiple of ten: the least-significant digit must be 0`
    throw invalidRequest(message, { code: 'parameter_invalid_integer', param: 'amount' })
  }
  return amount
}
