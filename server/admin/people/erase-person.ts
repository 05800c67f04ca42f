import type { erasePerson as endpoint } from '@coffer/contract/admin/people'
import type { z } from 'zod'
import { deleteAccount } from '../../account/delete-account.ts'
import type { Context } from '../../context.ts'
import type { AdminCall } from '../access.ts'
import { personSubject } from '../record-people.ts'
import { requirePerson } from './require-person.ts'

/** Does the same as when the person deletes their account. No-op, without an audit entry, if already erased. */
export async function erasePerson(
  context: Context,
  { record }: Pick<AdminCall, 'record'>,
  { id, reason }: z.output<typeof endpoint.input>,
): Promise<void> {
  const person = await requirePerson(context.db, id)
  if (person.email === null) return
  const subject = personSubject(person.id)
  const because = { reason: reason.trim() }
  await deleteAccount(
    context,
    { userId: person.id, walletId: person.walletId },
    {
      // The links end even if money arrives meanwhile and the person is not erased.
      onUnlinked: (tx) => record(tx, { action: 'person.unlink', subject, after: because }),
      onErased: (tx) =>
        record(tx, {
          action: 'person.erase',
          subject,
          before: { isErased: false },
          after: { isErased: true, ...because },
        }),
    },
  )
}
