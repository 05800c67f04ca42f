import type { Context } from '../../context.ts'
import type { Operation } from '../../ledger/types.ts'

const WITHIN_MS = 10 * 60 * 1000
/** Before and after the debit: a wallet with more entries in ten minutes is rare, and each lookup must be fast. */
const ENTRIES = 50

/** Debits that a person may mean who was charged twice: same wallet, app and amount, at about the same time. */
export async function findSimilar(
  { ledger }: Pick<Context, 'ledger'>,
  debit: Operation,
): Promise<Operation[]> {
  if (debit.kind !== 'debit') return []
  const upToSeq = debit.seq + BigInt(ENTRIES)
  const around = await ledger.readHistoryPage(debit.walletId, upToSeq, 2 * ENTRIES + 1)
  return around.filter(
    (each) =>
      each.kind === 'debit' &&
      each.seq !== debit.seq &&
      each.counterAccount === debit.counterAccount &&
      each.amount === debit.amount &&
      Math.abs(each.createdAtMs - debit.createdAtMs) <= WITHIN_MS,
  )
}
