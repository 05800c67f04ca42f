import { toDecimalText } from '../widget/topup/read-amount.ts'

/** Amounts as the person writes them: with the decimal sign of the language, without grouping. */
export function createAmountText(locales: readonly string[]) {
  const numbers = new Intl.NumberFormat([...locales], {
    useGrouping: false,
    maximumFractionDigits: 3,
  })
  const sign = numbers.formatToParts(1.1).find(({ type }) => type === 'decimal')?.value ?? '.'
  return {
    /** As the service reads it. */
    read: (typed = '') => toDecimalText(typed.trim(), sign),
    write: (amount: number | null) => (amount === null ? '' : numbers.format(amount)),
  }
}

export function isAmount(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text)
}
