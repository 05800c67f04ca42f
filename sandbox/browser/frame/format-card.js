/** @typedef {{ name: string, start: RegExp, lengths: number[], gaps: number[], cvc: number }} Brand */

/** @type {Brand[]} */
const BRANDS = [
  { name: 'visa', start: /^4/, lengths: [16], gaps: [4, 8, 12], cvc: 3 },
  { name: 'mastercard', start: /^(5[1-5]|2[2-7])/, lengths: [16], gaps: [4, 8, 12], cvc: 3 },
  { name: 'amex', start: /^3[47]/, lengths: [15], gaps: [4, 10], cvc: 4 },
  { name: 'diners', start: /^3(0|6|8)/, lengths: [14, 16], gaps: [4, 8, 12], cvc: 3 },
  { name: 'discover', start: /^6(011|4|5)/, lengths: [16], gaps: [4, 8, 12], cvc: 3 },
  { name: 'jcb', start: /^35/, lengths: [16], gaps: [4, 8, 12], cvc: 3 },
  { name: 'unionpay', start: /^62/, lengths: [16, 19], gaps: [4, 8, 12, 16], cvc: 3 },
]
const UNKNOWN = { name: 'unknown', start: /^/, lengths: [16], gaps: [4, 8, 12], cvc: 3 }

/** @param {string} text */
export function digitsOf(text) {
  return text.replaceAll(/\D/g, '')
}

/** @param {string} digits @returns {Brand} */
export function brandOf(digits) {
  return BRANDS.find(({ start }) => start.test(digits)) ?? UNKNOWN
}

/** @param {string} text */
export function formatNumber(text) {
  const digits = digitsOf(text)
  const { gaps, lengths } = brandOf(digits)
  const kept = digits.slice(0, Math.max(...lengths))
  return kept
    .split('')
    .map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit))
    .join('')
}

/** A first digit above 1 can only be a month: 5 becomes 05. @param {string} text */
export function formatExpiry(text) {
  const typed = digitsOf(text)
  const digits = (/^[2-9]/.test(typed) ? `0${typed}` : typed).slice(0, 4)
  if (digits.length < 2) return digits
  const hasRest = digits.length > 2 || /\d\s*\/\s*$/.test(text)
  return hasRest ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits
}

/** @param {string} number */
export function passesLuhn(number) {
  const sum = number
    .split('')
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  return sum % 10 === 0
}

/** What is wrong with a card number, as Stripe.js names it. @param {string} text */
export function checkNumber(text) {
  const digits = digitsOf(text)
  const { lengths } = brandOf(digits)
  if (digits.length < Math.min(...lengths)) return 'incomplete_number'
  return passesLuhn(digits) ? null : 'invalid_number'
}

/** @param {string} text @param {Date} now */
export function checkExpiry(text, now) {
  const digits = digitsOf(text)
  const month = Number(digits.slice(0, 2))
  const year = 2000 + Number(digits.slice(2))
  if (digits.length >= 2 && (month < 1 || month > 12)) return 'invalid_expiry_month'
  if (digits.length < 4) return 'incomplete_expiry'
  const isPast = year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1
  if (isPast) return 'invalid_expiry_year_past'
  return year > now.getFullYear() + 50 ? 'invalid_expiry_year' : null
}

/** @param {string} text @param {string} number */
export function checkCvc(text, number) {
  return digitsOf(text).length < brandOf(digitsOf(number)).cvc ? 'incomplete_cvc' : null
}
