import { toDecimalText } from '../widget/topup/read-amount.ts'

/** Amounts as people type them: with the decimal sign of the language, without thousands separators. */
export function createAmountText(locales: readonly string[]) {
  const numbers = new Intl.NumberFormat([...locales], {
    useGrouping: false,
    maximumFractionDigits: 3,
  })
  const sign = numbers.formatToParts(1.1).find(({ type }) => type === 'decimal')?.value ?? '.'
  return {
    /** To decimal text, as the service expects it. */
    read: (typed = '') => toDecimalText(typed.trim(), sign),
    write: (amount: number | null) => (amount === null ? '' : numbers.format(amount)),
  }
}

export function isAmount(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text)
}
