import { setTimeout as sleep } from 'node:timers/promises'
import { endLogIns } from '../account/queries.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { ServiceError } from '../service-error.ts'
import { endTopups } from '../topup/end-topups.ts'
import { deletePerson, deleteTickets, endLinks } from './queries.ts'
import type { LoggedIn } from './require-log-in.ts'

/** How long the ledger works on a request at most. */
const UNDER_WAY_MS = 7_000

/**
 * Personal data goes, the wallet and the books stay. No money may be left on a wallet whose owner is gone, and client
 * apps credit it without asking us here. So the links end first, and open card payments are cancelled: from then on nothing new is let through to the
 * ledger. What was let through just before, in this process or another, is decided within the ledger's deadline; we
 * wait that long, and only then is an empty wallet empty for good. If money did come, the person is still there and
 * has it. A link made while we waited would let money through again, so it stops the deletion.
 */
export async function deleteAccount(
  context: Context,
  { userId, walletId }: LoggedIn,
): Promise<void> {
  const { db, processor } = context
  await requireEmpty(context, walletId)
  await db.query(endLinks(userId))
  if (processor) await endTopups({ ...context, processor }, userId)
  await sleep(UNDER_WAY_MS)
  await requireEmpty(context, walletId)
  await inTransaction(db, async (tx) => {
    await tx.query(deletePerson(userId))
    const { rowCount } = await tx.query(endLinks(userId))
    if (rowCount !== 0) throw new ServiceError('SERVICE_UNAVAILABLE')
    await tx.query(endLogIns(userId))
    await tx.query(deleteTickets(userId))
  })
}

async function requireEmpty({ ledger }: Context, walletId: bigint): Promise<void> {
  const wallet = await ledger.readWallet(walletId)
  if (wallet?.balance !== 0n || wallet.debt !== 0n) throw new ServiceError('ACCOUNT_NOT_EMPTY')
}
