const BRANDS: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** The name of a brand as people know it. */
export function nameBrand(brand: string): string {
  return BRANDS[brand] ?? (brand && brand !== 'unknown' ? brand : 'Card')
}

/** When a card expires. */
export function writeMonth({ expMonth, expYear }: { expMonth: number; expYear: number }): string {
  return `${String(expMonth).padStart(2, '0')}/${expYear}`
}
