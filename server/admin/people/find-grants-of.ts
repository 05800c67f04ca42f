/** Why and by whom bonuses and corrections were made. */
import { PERSON_VIEWER } from '../../account/search-history.ts'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import type { Kind, Operation } from '../../ledger/types.ts'
import { findGrants, type MadeGrant } from './queries.ts'

const GRANTED: ReadonlySet<Kind> = new Set(['bonus', 'correction_in', 'correction_out'])
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface ShownGrant extends Omit<MadeGrant, 'id'> {
  /** The id of the debit that it gives back. */
  charge: string | null
}

/** The id of a grant is the reference of its operation. A bonus of a command has another one, and no grant. */
export async function findGrantsOf(
  { db, transactionIds }: Pick<Context, 'db' | 'transactionIds'>,
  operations: readonly Operation[],
): Promise<Map<Operation, ShownGrant>> {
  const granted = operations.filter(
    ({ kind, referenceId }) => GRANTED.has(kind) && UUID.test(referenceId),
  )
  const ids = granted.map(({ referenceId }) => referenceId)
  const found = ids.length > 0 ? await many(db, findGrants(ids)) : []
  const shown = new Map<Operation, ShownGrant>()
  for (const operation of granted) {
    const grant = found.find(({ id }) => id === operation.referenceId)
    if (grant === undefined) continue
    const { id, ...rest } = grant
    shown.set(operation, {
      ...rest,
      charge: findCharge({ transactionIds }, operation.walletId, id),
    })
  }
  return shown
}

/**
 * The id of a correction that gives a charge back has the digits of the transaction's id, except for two that mark it as
 * a UUID of version 8. Only one of the 256 ids with other digits there belongs to this wallet.
 */
function findCharge(
  { transactionIds }: Pick<Context, 'transactionIds'>,
  walletId: bigint,
  grantId: string,
): string | null {
  const digits = grantId.replaceAll('-', '')
  if (digits[12] !== '8' || digits[16] !== '8') return null
  for (let each = 0; each < 256; each++) {
    const [version = '', variant = ''] = each.toString(16).padStart(2, '0')
    const id = `txn_${digits.slice(0, 12)}${version}${digits.slice(13, 16)}${variant}${digits.slice(17)}`
    const found = transactionIds.decode(PERSON_VIEWER, id)
    if (found?.walletId === walletId) return id
  }
  return null
}
