import type { FoundOperation } from '../calls.ts'

export const POSTED_TITLES = {
  debit: (amount: string) => `Debited once: ${amount}`,
  credit: (amount: string) => `Credited once: ${amount}`,
  topup: (amount: string) => `Topped up once: ${amount}`,
  bonus: (amount: string) => `Bonus given once: ${amount}`,
  seizure: (amount: string) => `Withdrawn once by the card processor: ${amount}`,
  reversal: (amount: string) => `Returned once: ${amount}`,
  card_refund: (amount: string) => `Refunded once to the card: ${amount}`,
  correction_in: (amount: string) => `Corrected upwards once: ${amount}`,
  correction_out: (amount: string) => `Corrected downwards once: ${amount}`,
  refund: (amount: string) => `Refunded once to the wallet: ${amount}`,
  hold: (amount: string) => `Held once: ${amount}`,
  capture: (amount: string) => `Captured once: ${amount}`,
  release: (amount: string) => `Released once: ${amount}`,
  expiry: (amount: string) => `Expired once: ${amount}`,
}

type FoundDebit = Pick<NonNullable<FoundOperation['decision']>, 'kind' | 'amount' | 'refunded'>
type Similar = Pick<FoundOperation['similar'][number], 'refunded'>

/** `similar` has the same amount. A warning: more than one debit is not refunded in full. */
export function summarizeDecision(
  { kind, amount, refunded }: FoundDebit,
  similar: readonly Similar[],
  format: (amount: number) => string,
): { kind: 'good' | 'warning' | 'none'; title: string } {
  const debits = 1 + similar.length
  const returned = [{ refunded }, ...similar].filter((each) => each.refunded >= amount).length
  if (debits > 1) {
    const title = describeSeveral(debits, format(amount), returned)
    return { kind: debits - returned > 1 ? 'warning' : 'none', title }
  }
  if (refunded === 0) return { kind: 'good', title: POSTED_TITLES[kind](format(amount)) }
  const how = describeRefund(refunded, amount, format)
  return { kind: 'none', title: `Debited ${format(amount)}, ${how}` }
}

export function describeRefund(
  refunded: number,
  amount: number,
  format: (amount: number) => string,
): string {
  return refunded < amount ? `refunded ${format(refunded)}` : 'refunded in full'
}

function describeSeveral(debits: number, amount: string, returned: number): string {
  const isAll = returned === debits
  const which = isAll ? (debits === 2 ? 'both' : 'all') : `${returned}`
  return `${debits} debits of ${amount}${returned > 0 ? `, ${which} refunded in full` : ''}`
}
