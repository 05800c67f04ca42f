/** Amounts as the admin area computes and shows them. */
import type { MoneyFormat } from '../../ui/format-money.ts'

/** Computes the new balance in thousandths, as integers: no currency has more decimals. */
export function previewBalance(
  balance: number,
  typed: string,
  isOut: boolean,
): { becomes: number } | 'short' | undefined {
  const before = toThousandths(String(balance))
  const amount = toThousandths(typed.trim())
  if (before === undefined || amount === undefined || amount === 0n) return undefined
  const after = isOut ? before - amount : before + amount
  return after < 0n ? 'short' : { becomes: Number(after) / 1000 }
}

function toThousandths(text: string): bigint | undefined {
  const [match, whole = '', decimals = ''] = /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(text) ?? []
  return match === undefined ? undefined : BigInt(whole + decimals.padEnd(3, '0'))
}

export function showLimit(
  { creditLimit }: { creditLimit: number | null },
  currency: string,
  money: MoneyFormat,
): string {
  return creditLimit === null ? 'Unlimited' : money.plain(creditLimit, currency)
}
