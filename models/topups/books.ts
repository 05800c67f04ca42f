/** The entries of a wallet as the ledger has them. */
import { PROCESSOR_ACCOUNT } from '../../server/ledger/types.ts'
import type { Service } from './service.ts'

export interface BookEntry {
  kind: string
  reference: string
  /** The amount of the movement, whatever part of it paid debt. */
  gross: number
  /** What the wallet changed by, with debt as a negative amount. */
  net: number
  /** What the balance alone changed by. */
  change: number
  after: { balance: number; debt: number }
  isOfProcessor: boolean
}

interface Row {
  kind: string
  reference_id: string
  amount: string
  debt_change: string | null
  balance_after: string
  counter_account: string
}

/** Oldest first. */
export async function listEntries(
  { harness }: Pick<Service, 'harness'>,
  walletId: bigint,
): Promise<BookEntry[]> {
  const { rows } = await harness.admin.query<Row>(
    `select kind, reference_id, amount, debt_change, balance_after, counter_account
      from ledger.operations where wallet_id = $1 order by seq`,
    [walletId],
  )
  let debt = 0
  return rows.map((row) => {
    const [change, debtChange] = [Number(row.amount), Number(row.debt_change ?? 0)]
    debt += debtChange
    return {
      kind: row.kind,
      reference: row.reference_id,
      gross: Math.abs(change - debtChange),
      net: change - debtChange,
      change,
      after: { balance: Number(row.balance_after), debt },
      isOfProcessor: Number(row.counter_account) === PROCESSOR_ACCOUNT,
    }
  })
}
