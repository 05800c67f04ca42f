import type { Role } from '@coffer/contract/admin/endpoint'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { one } from '../../database/statement.ts'
import type { Passwords } from '../../identity/hash-password.ts'
import type { Caller } from '../../identity/queue-fairly.ts'
import { ServiceError } from '../../service-error.ts'
import { recordAction, type Actor } from '../record-action.ts'
import { insertOperator } from './queries.ts'

/** Returns the initial password, which is not stored. Without a caller, it is the work of a command. */
export async function createOperator(
  { db, passwords }: { db: pg.Pool; passwords: Pick<Passwords, 'hash'> },
  by: Actor,
  { email, name, role }: { email: string; name: string; role: Role },
  caller?: Caller,
): Promise<{ id: bigint; password: string }> {
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password, caller)
  const id = await inTransaction(db, async (tx) => {
    const operator = { email, name, role, passwordHash, createdBy: by.actorId }
    const inserted = await one(tx, insertOperator(operator))
    if (inserted === undefined) throw new ServiceError('EMAIL_TAKEN')
    const after = { name, role, isActive: true }
    await recordAction(tx, by, { action: 'operator.create', subject: email, after })
    return inserted
  })
  return { id, password }
}
