/** The names of the kinds of operations. */
export const OPERATION_KINDS = {
  debit: 'Debit',
  credit: 'Credit',
  topup: 'Top-up',
  card_refund: 'Refund of a top-up',
  bonus: 'Bonus',
  seizure: 'Dispute',
  reversal: 'Reversal of a dispute or refund',
  correction_in: 'Correction, in',
  correction_out: 'Correction, out',
  refund: 'Refund of a debit',
  hold: 'Hold',
  capture: 'Capture of a hold',
  release: 'Release of a hold',
  expiry: 'Expiry of a hold',
}

export const OPERATION_TYPES = { debit: 'Out', credit: 'In' }

/** Written after an amount in the overview. Debits, credits and top-ups have their own figures. */
export const OTHER_KINDS: Record<string, string> = {
  bonus: 'bonuses',
  card_refund: 'refunds to cards',
  refund: 'refunds of debits',
  hold: 'held by apps',
  capture: 'captured from holds',
  release: 'released from holds',
  expiry: 'returned by expired holds',
  seizure: 'seized after disputes and external refunds',
  reversal: 'returned after disputes and failed refunds',
  correction_in: 'corrections up',
  correction_out: 'corrections down',
}

export function countOperations(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'operation' : 'operations'}`
}
