import { setTimeout as sleep } from 'node:timers/promises'
import { deleteAutomaticTopup, endLogIns } from '../identity/queries.ts'
import { endLinks } from '../identity/link-queries.ts'
import { deleteTickets } from '../identity/ticket-queries.ts'
import { deleteWarningLinks } from '../identity/warning-link-queries.ts'
import type { Context } from '../context.ts'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { endTopups } from '../topup/end-topups.ts'
import { lockUser } from '../topup/queries.ts'
import { deletePerson, findPendingGrant, findPendingPayment } from './queries.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { deleteUndoLinks } from './undo-link-queries.ts'

/** The longest time that the ledger works on a request. */
const LEDGER_DEADLINE_MS = 7_000

/** What a caller records, each in the transaction of the change that it is about. */
export interface ErasureSteps {
  /** Links were ended, whether the person is deleted in the end or not. */
  onUnlinked?: Step
  onErased?: Step
}

/**
 * Deletes the personal data; the wallet and the books stay. A wallet without an owner must not hold money, and client
 * apps can credit it at any time. So the links end first, and open card payments are cancelled: from then on no new
 * request reaches the ledger. A request that got through just before, in this process or another, is decided within
 * the ledger's deadline; after that wait, an empty wallet stays empty. If money did arrive, the person still exists and
 * has it. A link, a card payment or an operator's grant that was started during the wait stops the deletion. A later
 * one waits for the lock on the person's row, and then finds it deleted.
 */
export async function deleteAccount(
  context: Context,
  { userId, walletId }: Pick<LoggedIn, 'userId' | 'walletId'>,
  { onUnlinked, onErased }: ErasureSteps = {},
): Promise<void> {
  const { db, ledger, processor } = context
  await requireEmpty(context, walletId)
  await inTransaction(db, async (tx) => {
    const ended = await run(tx, endLinks(userId, null, 'erasure'))
    if (ended > 0) await onUnlinked?.(tx)
  })
  await run(db, deleteAutomaticTopup(userId))
  if (processor) await endTopups({ ...context, processor }, userId)
  await sleep(LEDGER_DEADLINE_MS)
  await inTransaction(db, async (tx) => {
    await run(tx, lockUser(userId))
    const people = await run(tx, deletePerson(userId))
    // A concurrent request has already deleted the person.
    if (people === 0) return
    const links = await run(tx, endLinks(userId, null, 'erasure'))
    const grants = await run(tx, findPendingGrant(userId))
    if (links > 0 || grants > 0) throw new ServiceError('SERVICE_UNAVAILABLE')
    // Without a processor, pending payments can no longer complete.
    const payments = processor === undefined ? 0 : await run(tx, findPendingPayment(userId))
    if (payments > 0) throw new ServiceError('ACCOUNT_NOT_EMPTY')
    // While the row is locked nothing new can start. Refunds need no link, so the wallet is closed for them.
    if (!(await ledger.closeWallet(walletId, tx))) throw new ServiceError('ACCOUNT_NOT_EMPTY')
    await run(tx, endLogIns(userId))
    await run(tx, deleteTickets(userId))
    await run(tx, deleteUndoLinks(userId))
    await run(tx, deleteWarningLinks(userId))
    await onErased?.(tx)
  })
}

async function requireEmpty({ ledger }: Context, walletId: bigint): Promise<void> {
  const wallet = await ledger.readWallet(walletId)
  const isEmpty = wallet?.balance === 0n && wallet.debt === 0n && wallet.held === 0n
  if (!isEmpty) throw new ServiceError('ACCOUNT_NOT_EMPTY')
}
