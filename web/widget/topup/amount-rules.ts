/** The rules for the amount, as numbers and as messages. */
import type { Topup } from './context.ts'
import { fromMinor, toMinor } from './format.ts'
import { readAmount, type AmountError, type AmountRules } from './read-amount.ts'
import { suggestAmounts } from './suggest.ts'

export interface AmountGuide {
  suggested: string[]
  between: string
  refused: string
  /** `amount` is empty where `error` says what is wrong. */
  read: (typed: string) => { amount: string; error: string }
}

export function createAmountGuide({ data, format, messages }: Topup): AmountGuide {
  const { exponent, minAmount, maxAmount } = data
  const { errors } = messages.amount
  const [min, max] = [format.full(minAmount), format.full(maxAmount)]
  const rules: AmountRules = {
    exponent,
    minMinor: toMinor(minAmount.toFixed(exponent), exponent),
    maxMinor: toMinor(maxAmount.toFixed(exponent), exponent),
    decimalSign: format.decimalSign,
  }
  const suggested = suggestAmounts(rules.minMinor, rules.maxMinor, exponent).map((minor) =>
    fromMinor(minor, exponent),
  )

  function explain(error: AmountError): string {
    const example = format.plain(exponent === 3 ? '1.230' : '12.50')
    switch (error) {
      case 'empty':
        return errors.empty(format.plain(suggested[1] ?? String(minAmount)))
      case 'whole':
        return errors.whole
      case 'decimals':
        return errors.decimals(exponent, example)
      case 'tens':
        return errors.tens(example)
      case 'small':
        return errors.small(min)
      case 'large':
        return errors.large(max)
    }
  }

  return {
    suggested,
    between: messages.amount.between(min, max),
    refused: errors.refused(min, max),
    read(typed) {
      const read = readAmount(typed, rules)
      return 'amount' in read
        ? { amount: read.amount, error: '' }
        : { amount: '', error: explain(read.error) }
    },
  }
}
