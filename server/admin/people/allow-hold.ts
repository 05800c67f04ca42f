import type { allowHold as endpoint } from '@coffer/contract/admin/people'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { allowHold as allow } from '../../ledger/holds.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { personSubject } from '../record-people.ts'
import { requirePerson } from './require-person.ts'

/** No-op, without an audit entry, if the hold is not suspended or has ended. */
export async function allowHold(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { record }: Pick<AdminCall, 'record'>,
  { id, hold, reason }: z.output<typeof endpoint.input>,
): Promise<void> {
  const person = await requirePerson(db, id)
  const found = await ledger.holds.find(hold)
  if (found?.walletId !== person.walletId) throw new ServiceError('NOT_FOUND')
  await inTransaction(db, async (tx) => {
    if (!(await allow(tx, person.walletId, hold))) return
    await record(tx, {
      action: 'hold.allow',
      subject: personSubject(person.id),
      before: { hold, isSuspended: true },
      after: { hold, isSuspended: false, reason: reason.trim() },
    })
  })
}
