/** What a client app may take from a wallet, and what it has taken. */

export type Unit = 'day' | 'week' | 'month'

export const UNITS: readonly Unit[] = ['day', 'week', 'month']

/** From its start, inclusive, to its end, exclusive. */
export interface Period {
  startsAtMs: number
  endsAtMs: number
}

/** The current period of a limit, or the last one in which the app took something. */
export interface SpendPeriod extends Period {
  /** The most that the app may take in a period; null if there is no limit. */
  max: bigint | null
  /** Debits and holds of the period, minus what was refunded or released of them within it. */
  spent: bigint
}

/** What the person decides. */
export interface SpendTerms {
  /** The largest debit or hold; null if there is no limit. */
  singleMax: bigint | null
  max: Record<Unit, bigint | null>
  /** From then on, the app may take nothing. */
  endsAtMs: number | null
  /** An IANA name. A change applies to the next periods. */
  timeZone: string
}

export interface SpendLimit extends Omit<SpendTerms, 'max'> {
  walletId: bigint
  /** The client app's ledger account. */
  account: number
  periods: Record<Unit, SpendPeriod>
}
