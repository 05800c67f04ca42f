/** The amounts in the configuration, in the units of the currency. They depend on each other, so they are read together. */
import { parseAmount, type Currency } from '@coffer/contract/money'

export interface AmountSettings {
  CURRENCY: Currency
  TOPUP_MIN: string
  TOPUP_MAX: string
  TOPUP_MAX_PER_DAY?: string | undefined
  THREE_D_SECURE_ABOVE?: string | undefined
  SECOND_OPERATOR_ABOVE: string
}

/** Without TOPUP_MAX_PER_DAY, a person may top up the largest amount this often in 24 hours. */
const TOPUPS_PER_DAY = 5n

export function checkAmounts(env: AmountSettings): { name: string; message: string }[] {
  const { CURRENCY: currency, TOPUP_MIN, TOPUP_MAX, TOPUP_MAX_PER_DAY = TOPUP_MAX } = env
  const isAmount = (text = '0') => parseAmount(text, currency) !== undefined
  const checks: [name: string, isValid: boolean, message: string][] = [
    [
      'TOPUP_MAX',
      isRange(currency, TOPUP_MIN, TOPUP_MAX),
      'and TOPUP_MIN must be amounts such as 1000, and TOPUP_MIN must not be greater than TOPUP_MAX',
    ],
    [
      'TOPUP_MAX_PER_DAY',
      isRange(currency, TOPUP_MAX, TOPUP_MAX_PER_DAY),
      'must be an amount such as 5000, and must not be less than TOPUP_MAX',
    ],
    [
      'THREE_D_SECURE_ABOVE',
      isAmount(env.THREE_D_SECURE_ABOVE),
      'must be an amount such as 100, or 0',
    ],
    [
      'SECOND_OPERATOR_ABOVE',
      isAmount(env.SECOND_OPERATOR_ABOVE),
      'must be an amount such as 100, or 0, with no more decimals than the currency has',
    ],
  ]
  return checks.filter(([, isValid]) => !isValid).map(([name, , message]) => ({ name, message }))
}

export function readAmounts(env: AmountSettings) {
  const read = (text: string) => parseAmount(text, env.CURRENCY) ?? 0n
  const { TOPUP_MAX_PER_DAY: perDay, THREE_D_SECURE_ABOVE: above } = env
  const topupMaxMinor = read(env.TOPUP_MAX)
  return {
    topupMinMinor: read(env.TOPUP_MIN),
    topupMaxMinor,
    topupMaxPerDayMinor: perDay === undefined ? TOPUPS_PER_DAY * topupMaxMinor : read(perDay),
    threeDSecureAboveMinor: above === undefined ? undefined : read(above),
    secondOperatorAboveMinor: read(env.SECOND_OPERATOR_ABOVE),
  }
}

function isRange(currency: Currency, min: string, max: string): boolean {
  const [least, most] = [parseAmount(min, currency), parseAmount(max, currency)]
  return least !== undefined && most !== undefined && least > 0n && least <= most
}
