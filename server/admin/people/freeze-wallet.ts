import type { freezeWallet as endpoint } from '@coffer/contract/admin/people'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { run } from '../../database/statement.ts'
import { addWalletEvents } from '../../events/outbox-queries.ts'
import type { AdminCall } from '../access.ts'
import { personSubject } from '../record-people.ts'
import { requirePerson } from './require-person.ts'

/** No-op, without an audit entry, if the wallet is already in that state. */
export async function freezeWallet(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { record }: Pick<AdminCall, 'record'>,
  { id, isFrozen, reason }: z.output<typeof endpoint.input>,
): Promise<void> {
  const person = await requirePerson(db, id)
  const wallet = await ledger.readWallet(person.walletId)
  if (wallet?.isActive === !isFrozen) return
  await inTransaction(db, async (tx) => {
    const isChanged = await ledger.setWalletActive(person.walletId, !isFrozen, tx)
    // Another operator has already changed the state.
    if (!isChanged) return
    await run(tx, addWalletEvents(person.walletId, isFrozen ? 'wallet.frozen' : 'wallet.unfrozen'))
    await record(tx, {
      action: isFrozen ? 'wallet.freeze' : 'wallet.unfreeze',
      subject: personSubject(person.id),
      before: { isFrozen: !isFrozen },
      after: { isFrozen, reason: reason.trim() },
    })
  })
}
