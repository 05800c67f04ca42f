import type pg from 'pg'
import { insertAudit, type AuditEntry } from './audit-queries.ts'

/** Who acts, and from where. */
export type Actor = Pick<AuditEntry, 'actor' | 'actorId' | 'address'>

/** Never a secret, a password or a code in before and after: nobody could take them out again. */
export type Action = Pick<AuditEntry, 'action'> &
  Partial<Pick<AuditEntry, 'subject' | 'before' | 'after'>>

/** Belongs into the transaction of what is done, where there is one. */
export async function recordAction(
  db: pg.Pool | pg.ClientBase,
  { actor, actorId, address }: Actor,
  { action, subject = null, before = null, after = null }: Action,
): Promise<void> {
  await db.query(insertAudit({ actor, actorId, address, action, subject, before, after }))
}
