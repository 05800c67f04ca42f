import type { MoneyFormat } from '../../ui/format-money.ts'
import { words } from '../messages.ts'

export function showLimit(
  { creditLimit }: { creditLimit: number | null },
  currency: string,
  money: MoneyFormat,
): string {
  return creditLimit === null ? words.limit.none : money.plain(creditLimit, currency)
}
