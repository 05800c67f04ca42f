import { run, type Database } from '../database/statement.ts'
import { insertAudit, type AuditEntry } from './audit-queries.ts'

/** The operator or command that acts, and its address. */
export type Actor = Pick<AuditEntry, 'actor' | 'actorId' | 'address'>

/** `before` and `after` must never contain a secret, a password or a code: audit entries cannot be removed. */
export type Action = Pick<AuditEntry, 'action'> &
  Partial<Pick<AuditEntry, 'subject' | 'before' | 'after'>>

/** Call it in the transaction of the change. If the effect is outside of it, commit the entry before the effect. */
export async function recordAction(
  db: Database,
  { actor, actorId, address }: Actor,
  { action, subject = null, before = null, after = null }: Action,
): Promise<void> {
  await run(db, insertAudit({ actor, actorId, address, action, subject, before, after }))
}
