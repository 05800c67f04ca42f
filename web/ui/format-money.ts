/** Amounts arrive as numbers of major units with at most 15 digits, which a double carries exactly. */

type WriteMoney = (amount: number, currency: string) => string

export interface MoneyFormat {
  plain: WriteMoney
  /** With + or −, for an entry. */
  signed: WriteMoney
}

export function createMoneyFormat(locales: readonly string[]): MoneyFormat {
  function format(signDisplay: 'auto' | 'exceptZero'): WriteMoney {
    return (amount, currency) =>
      new Intl.NumberFormat([...locales], {
        style: 'currency',
        currency,
        signDisplay,
        // The browser's own idea of a currency's decimals differs for a few of them, and it would round.
        maximumFractionDigits: 3,
      })
        .format(amount)
        // A hyphen is narrower than the plus and is read out as a dash.
        .replace('-', '\u2212')
  }
  return { plain: format('auto'), signed: format('exceptZero') }
}
