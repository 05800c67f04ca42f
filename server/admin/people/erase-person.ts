import type { erasePerson as endpoint } from '@coffer/contract/admin/people'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { deleteAccount } from '../../account/delete-account.ts'
import type { AdminCall } from '../access.ts'
import { requirePerson, subjectOf } from './read-person.ts'

/** As if the person had done it. Whoever was erased already stays erased, without an entry. */
export async function erasePerson(
  context: Context,
  { record }: Pick<AdminCall, 'record'>,
  { id, reason }: z.output<typeof endpoint.input>,
): Promise<void> {
  const person = await requirePerson(context.db, id)
  if (person.email === null) return
  const subject = subjectOf(person)
  const because = { reason: reason.trim() }
  await deleteAccount(
    context,
    { userId: person.id, walletId: person.wallet_id },
    {
      // The links are ended even if money comes and the person stays.
      unlinked: (tx) => record(tx, { action: 'person.unlink', subject, after: because }),
      erased: (tx) =>
        record(tx, {
          action: 'person.erase',
          subject,
          before: { isErased: false },
          after: { isErased: true, ...because },
        }),
    },
  )
}
