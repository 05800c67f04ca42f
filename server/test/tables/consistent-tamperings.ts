/** A forger who changes all tables consistently: usually only a checkpoint shows it. */
import { rewriteHistory, type Tampering } from './tamper.ts'

const ONLY_CHECKPOINT = 'the ledger alone cannot show it'

function deleteCompletely(condition: string, seqs = ''): string {
  return `delete from ledger.operations where wallet_${condition} ${seqs};
    delete from ledger.operation_keys where wallet_${condition} ${seqs};`
}

export const CONSISTENT_TAMPERINGS: readonly Tampering[] = [
  {
    name: 'the newest operations of a wallet are removed, back to before the checkpoint',
    change: `update ledger.wallets w set balance = o.balance_after, debt = coalesce(o.debt_after, 0), seq = o.seq,
        head_hash = o.hash
      from ledger.operations o where o.wallet_id = w.id and w.id = A and o.seq = 7;
      ${deleteCompletely('id = A', 'and seq > 7')}`,
    fault: undefined,
    checked: [
      'wallet A, operation 8: newer operations are missing, the checkpoint has 8',
      ONLY_CHECKPOINT,
    ],
  },
  {
    name: 'a wallet between others is removed',
    change: `${deleteCompletely('id = B')} delete from ledger.wallets where id = B`,
    fault: undefined,
    checked: ['wallet B: the wallet is missing', ONLY_CHECKPOINT],
  },
  {
    name: 'the newest wallets are removed',
    change: `${deleteCompletely('id > A')} delete from ledger.refunds where wallet_id > A;
      delete from ledger.hold_changes where wallet_id > A; delete from ledger.holds where wallet_id > A;
      delete from ledger.wallets where id > A`,
    fault: undefined,
    checked: ['wallet B: the wallet is missing', ONLY_CHECKPOINT],
  },
  {
    name: 'the history of a wallet with new operations is rewritten',
    change: (books) => rewriteHistory(books, books.ids.A, 3n),
    fault: undefined,
    checked: ['wallet A, operation 8: it differs from the checkpoint', ONLY_CHECKPOINT],
    incremental: [
      'wallet A, operation 9: the hash does not match the row',
      'it continues from the hash in the checkpoint',
    ],
  },
  {
    name: 'the history of a wallet without new operations is rewritten',
    change: (books) => rewriteHistory(books, books.ids.B, 1n),
    fault: undefined,
    checked: ['wallet B, operation 1: it differs from the checkpoint', ONLY_CHECKPOINT],
    incremental: [
      'wallet B: the balance is 501, its operations add up to 500',
      'it continues from the balance in the checkpoint',
    ],
  },
]
