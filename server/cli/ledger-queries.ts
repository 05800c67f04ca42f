import type { Statement } from '../database/statement.ts'

export const COUNT_WALLETS: Statement<number> = {
  text: 'select count(*) as count from ledger.wallets',
  read: (row: { count: bigint }) => Number(row.count),
}
