import type { freezeWallet as endpoint } from '@coffer/contract/admin/people'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { AdminCall } from '../access.ts'
import { requirePerson, subjectOf } from './read-person.ts'

/**
 * The books have transactions of their own, so the entry comes first: nothing is done that nobody can explain. If we
 * die in between, the entry of the next try has the same before. A wallet that is so already stays so, without an entry.
 */
export async function freezeWallet(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { record }: Pick<AdminCall, 'record'>,
  { id, isFrozen, reason }: z.output<typeof endpoint.input>,
): Promise<void> {
  const person = await requirePerson(db, id)
  const wallet = await ledger.readWallet(person.wallet_id)
  if (wallet?.isActive === !isFrozen) return
  await record(db, {
    action: isFrozen ? 'wallet.freeze' : 'wallet.unfreeze',
    subject: subjectOf(person),
    before: { isFrozen: !isFrozen },
    after: { isFrozen, reason: reason.trim() },
  })
  await ledger.setWalletActive(person.wallet_id, !isFrozen)
}
