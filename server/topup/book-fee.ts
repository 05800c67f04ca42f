import { run, type Database } from '../database/statement.ts'
import type { PaymentIntent, Refund } from '../processor/stripe.ts'
import { insertFee } from './queries.ts'

/** Records the processor's fee, once per balance transaction. The platform pays fees; they touch no wallet. */
export async function bookFee(
  { db }: { db: Database },
  topupId: string,
  source: PaymentIntent['latest_charge'] | Refund,
): Promise<void> {
  if (source === null || typeof source === 'string') return
  const entry = source.balance_transaction
  // The processor may book the fee later; it sends an event then.
  if (entry === null || typeof entry !== 'object') return
  await run(db, insertFee(entry, source.id, topupId))
}
