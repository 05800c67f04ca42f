import type { Role } from '@coffer/contract/admin/endpoint'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { insertReset } from '../grants/queries.ts'
import { deleteLogInsOf, deleteTicketsOf } from '../log-in-queries.ts'
import {
  forgetAuthenticator,
  lockOwnersAnd,
  setOperator,
  type OperatorRow,
} from '../operator-queries.ts'
import { deletePasskeysOf } from '../passkey-queries.ts'

interface OperatorChange {
  id: string
  role?: Role | undefined
  isActive?: boolean | undefined
  resetAuthenticator?: boolean | undefined
}

/** Somebody must stay who can let the others in: the last active owner is neither demoted nor deactivated. */
export async function changeOperator(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  change: OperatorChange,
): Promise<void> {
  if (!/^\d{1,18}$/.test(change.id)) throw new ServiceError('NOT_FOUND')
  const id = BigInt(change.id)
  await inTransaction(db, async (tx) => {
    const { rows } = await tx.query<OperatorRow>(lockOwnersAnd(id))
    const row = rows.find((each) => each.id === id)
    if (row === undefined) throw new ServiceError('NOT_FOUND')
    const owners = rows.filter((each) => each.role === 'owner' && each.is_active)
    const role = change.role ?? row.role
    const isActive = change.isActive ?? row.is_active
    const isOwnerAfter = role === 'owner' && isActive
    const others = owners.filter((each) => each.id !== id)
    // Whoever asks may have lost the role while this waited.
    const mayStill = owners.some((each) => each.id === operator.operatorId)
    if (!mayStill || (!isOwnerAfter && others.length === 0)) {
      throw new ServiceError('OPERATOR_FORBIDDEN')
    }
    await tx.query(setOperator(id, role, isActive))
    const isReset = change.resetAuthenticator === true
    if (isReset) {
      await tx.query(forgetAuthenticator(id))
      await tx.query(insertReset(id, operator.operatorId))
    }
    // A lost device may hold passkeys too.
    const removed = isReset ? (await tx.query(deletePasskeysOf(id))).rowCount : 0
    if (isReset || !isActive) {
      await tx.query(deleteTicketsOf(id))
      await tx.query(deleteLogInsOf(id))
    }
    const hasAuthenticator = row.totp_seed !== null
    await record(tx, {
      action: 'operator.change',
      subject: row.email,
      before: { role: row.role, isActive: row.is_active, hasAuthenticator },
      after: {
        role,
        isActive,
        hasAuthenticator: hasAuthenticator && !isReset,
        ...(removed && { passkeysRemoved: removed }),
      },
    })
  })
}
