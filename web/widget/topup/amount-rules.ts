/** The rules for the amount, as numbers and as messages. */
import type { Topup } from './context.ts'
import { fromMinor, toMinor } from './format.ts'
import { readAmount, type AmountError, type AmountRules } from './read-amount.ts'

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

/** 10, 25, 50 and 100 in most currencies; the same steps on another scale where the limits require it. */
const STEPS = [10n, 25n, 50n, 100n]
/** In order of preference: in most currencies, 100 minor units are one major unit. */
const SCALES = [100n, 1000n, 10n, 10_000n, 1n, 100_000n, 1_000_000n]

export function suggestAmounts(minMinor: bigint, maxMinor: bigint, exponent: number): bigint[] {
  let best: bigint[] = []
  for (const scale of SCALES) {
    const fitting = STEPS.map((step) => step * scale).filter(
      (minor) => minor >= minMinor && minor <= maxMinor && (exponent < 3 || minor % 10n === 0n),
    )
    if (fitting.length > best.length) best = fitting
  }
  return best
}
