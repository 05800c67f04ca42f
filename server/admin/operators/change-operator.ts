import type { Role } from '@coffer/contract/admin/endpoint'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { deleteTicketsOf } from '../log-in-queries.ts'
import {
  deleteLogInsOf,
  deletePasskeysOf,
  insertReset,
  lockOperatorAndOwners,
  removeAuthenticator,
  setOperator,
} from './queries.ts'

interface OperatorChange {
  id: string
  role?: Role | undefined
  isActive?: boolean | undefined
  resetAuthenticator?: boolean | undefined
}

/** The last active owner can be neither demoted nor deactivated: otherwise no one could manage operators. */
export async function changeOperator(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  change: OperatorChange,
): Promise<void> {
  if (!/^\d{1,18}$/.test(change.id)) throw new ServiceError('NOT_FOUND')
  const id = BigInt(change.id)
  await inTransaction(db, async (tx) => {
    const locked = await many(tx, lockOperatorAndOwners(id))
    const known = locked.find((each) => each.id === id)
    if (known === undefined) throw new ServiceError('NOT_FOUND')
    const owners = locked.filter((each) => each.role === 'owner' && each.isActive)
    const role = change.role ?? known.role
    const isActive = change.isActive ?? known.isActive
    const isOwnerAfter = role === 'owner' && isActive
    const others = owners.filter((each) => each.id !== id)
    // The calling owner may have lost the role while this transaction waited for the lock.
    const isStillOwner = owners.some((each) => each.id === operator.operatorId)
    if (!isStillOwner || (!isOwnerAfter && others.length === 0)) {
      throw new ServiceError('OPERATOR_FORBIDDEN')
    }
    await run(tx, setOperator(id, role, isActive))
    const isReset = change.resetAuthenticator === true
    if (isReset) {
      await run(tx, removeAuthenticator(id))
      await run(tx, insertReset(id, operator.operatorId))
    }
    // A lost device may hold passkeys too.
    const removed = isReset ? await run(tx, deletePasskeysOf(id)) : 0
    if (isReset || !isActive) {
      await run(tx, deleteTicketsOf(id))
      await run(tx, deleteLogInsOf(id))
    }
    const { hasAuthenticator } = known
    await record(tx, {
      action: 'operator.change',
      subject: known.email,
      before: { role: known.role, isActive: known.isActive, hasAuthenticator },
      after: {
        role,
        isActive,
        hasAuthenticator: hasAuthenticator && !isReset,
        ...(removed && { passkeysRemoved: removed }),
      },
    })
  })
}
