/**
 * Starts the automatic top-ups that are due. The row is stored before the processor knows of it, as with every top-up;
 * the person's lock and a unique index allow one open charge per person, and never more than the limit of the month.
 */
import { one, many, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { findCustomer } from '../cards/customer-queries.ts'
import { recordTopup } from '../record-topup.ts'
import type { Topup } from '../queries.ts'
import type { TopupTools } from '../topup-tools.ts'
import { chargeTopup } from './charge-topup.ts'
import { claimDuePeople, findDue, lockAutomatic, type DuePerson } from './queries.ts'

/** Each causes a few calls of the processor. */
const AT_ONCE = 10

/** The people who are due, each to be passed to `startAutomatic`. */
export function claimDue({ db }: TopupTools): Promise<DuePerson[]> {
  return many(db, claimDuePeople(AT_ONCE))
}

export async function startAutomatic(tools: TopupTools, person: DuePerson): Promise<void> {
  const topup = await record(tools, person).catch(ignoreRefusal)
  if (topup) await chargeTopup(tools, { ...topup, isOld: false })
}

async function record(tools: TopupTools, { userId, walletId }: DuePerson): Promise<Topup> {
  return recordTopup(tools, { userId, walletId, clientApp: null }, async (tx) => {
    const terms = await one(tx, lockAutomatic(userId))
    const customerId = await one(tx, findCustomer(userId))
    const isDue = (await run(tx, findDue(userId))) > 0
    if (terms === undefined || customerId === undefined || !isDue) throw new NotDue()
    const { amountMinor, cardId } = terms
    return { amountMinor, saved: { customerId, cardId }, isAutomatic: true }
  })
}

/** Something changed since the person was claimed. */
class NotDue extends Error {}

/** The limits of all top-ups also apply. A refused top-up is tried again in an hour. */
function ignoreRefusal(error: unknown): undefined {
  const isRefused = error instanceof NotDue || error instanceof ServiceError
  if (!isRefused) throw error
}
