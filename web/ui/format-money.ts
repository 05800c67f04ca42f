/** Amounts arrive as numbers of major units with at most 15 digits, which a double carries exactly. */

export interface MoneyFormat {
  plain: (amount: number, currency: string) => string
  /** With + or −, for an entry. */
  signed: (amount: number, currency: string) => string
}

export function createMoneyFormat(locales: readonly string[]): MoneyFormat {
  const formats = new Map<string, Intl.NumberFormat>()
  function format(amount: number, currency: string, signDisplay: 'auto' | 'exceptZero') {
    const key = currency + signDisplay
    const known =
      formats.get(key) ??
      new Intl.NumberFormat([...locales], { style: 'currency', currency, signDisplay })
    formats.set(key, known)
    // A hyphen is narrower than the plus and is read out as a dash.
    return known.format(amount).replace('-', '\u2212')
  }
  return {
    plain: (amount, currency) => format(amount, currency, 'auto'),
    signed: (amount, currency) => format(amount, currency, 'exceptZero'),
  }
}
