import { type Currency, toWireNumber } from '@coffer/contract/money'
import type { Transaction } from '@coffer/contract/shapes'
import { type HistoryEntry, type Kind, scopeOf } from '../ledger/types.ts'
import type { TransactionIds } from './transaction-id.ts'

const SOURCES = {
  debit: 'other_app',
  credit: 'other_app',
  topup: 'topup',
  bonus: 'bonus',
  seizure: 'dispute',
  reversal: 'dispute',
  card_refund: 'topup',
  correction_in: 'correction',
  correction_out: 'correction',
  refund: 'other_app',
  hold: 'hold',
  capture: 'hold',
  release: 'hold',
  expiry: 'hold',
} as const satisfies Record<Kind, Transaction['source']>

/** By kind and not by sign: a seizure from an empty wallet has the amount 0. */
const OUTGOING: ReadonlySet<Kind> = new Set([
  'debit',
  'seizure',
  'card_refund',
  'correction_out',
  'hold',
])

/** A capture that releases nothing changes no balance: histories that apps see leave it out. */
export function changesBalance({ kind, amount }: Pick<HistoryEntry, 'kind' | 'amount'>): boolean {
  return kind !== 'capture' || amount !== 0n
}

/**
 * A posted operation as a client app may see it: its own completely, others without reference and description.
 * `debitSeq`: of a refund, if the viewer may see the debit.
 */
export function showTransaction(
  operation: HistoryEntry,
  viewerAccount: number,
  currency: Currency,
  ids: TransactionIds,
  debitSeq?: bigint,
): Transaction {
  const isOwn = scopeOf(operation) === viewerAccount
  const isDebit = OUTGOING.has(operation.kind)
  const magnitude = operation.amount < 0n ? -operation.amount : operation.amount
  return {
    id: ids.encode(viewerAccount, operation.walletId, operation.seq),
    type: isDebit ? 'debit' : 'credit',
    amount: toWireNumber(magnitude, currency),
    balanceAfter: toWireNumber(operation.balanceAfter, currency),
    currency: currency.code,
    referenceType: isOwn ? operation.referenceType : null,
    referenceId: isOwn ? operation.referenceId : null,
    description: isOwn ? operation.description : null,
    source: isOwn && SOURCES[operation.kind] === 'other_app' ? 'this_app' : SOURCES[operation.kind],
    ...(debitSeq !== undefined && {
      refundOf: ids.encode(viewerAccount, operation.walletId, debitSeq),
    }),
    createdAt: new Date(operation.createdAtMs).toISOString(),
  }
}
