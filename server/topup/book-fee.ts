import type { PaymentIntent, Refund } from '../processor/stripe.ts'
import { insertFee } from './queries.ts'
import type { TopupTools } from './settle.ts'

/** What the processor kept, once per balance transaction. Fees are the platform's and touch no wallet. */
export async function bookFee(
  { db }: Pick<TopupTools, 'db'>,
  topupId: string,
  source: PaymentIntent['latest_charge'] | Refund,
): Promise<void> {
  if (source === null || typeof source === 'string') return
  const entry = source.balance_transaction
  // The processor may book it later, and then says so.
  if (entry === null || typeof entry !== 'object') return
  await db.query(insertFee(entry, source.id, topupId))
}
