import { many, run } from '../../database/statement.ts'
import { isDefiniteRefusal } from '../../processor/stripe.ts'
import type { TopupTools } from '../topup-tools.ts'
import { deleteCustomer, listEndedCustomers } from './customer-queries.ts'

const AT_ONCE = 10

/** Deletes the saved cards of people who were deleted. It is repeated until the processor has confirmed it. */
export async function eraseCustomers({ db, processor }: TopupTools): Promise<void> {
  for (const customerId of await many(db, listEndedCustomers(AT_ONCE))) {
    await processor.stripe.customers.del(customerId).catch(ignoreDeleted)
    await run(db, deleteCustomer(customerId))
  }
}

function ignoreDeleted(error: unknown): void {
  if (!isDefiniteRefusal(error)) throw error
}
