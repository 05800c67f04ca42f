import type { MoneyFormat } from '../../ui/format-money.ts'

export function showLimit(
  { creditLimit }: { creditLimit: number | null },
  currency: string,
  money: MoneyFormat,
): string {
  return creditLimit === null ? 'Unlimited' : money.plain(creditLimit, currency)
}
