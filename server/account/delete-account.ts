import { setTimeout as sleep } from 'node:timers/promises'
import { endLogIns } from '../identity/queries.ts'
import { deleteTickets } from '../identity/ticket-queries.ts'
import type { Context } from '../context.ts'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { ServiceError } from '../service-error.ts'
import { endTopups } from '../topup/end-topups.ts'
import { lockUser } from '../topup/queries.ts'
import { deletePerson, endLinks, findGrantUnderWay, findPaymentUnderWay } from './queries.ts'
import type { LoggedIn } from './require-log-in.ts'

/** How long the ledger works on a request at most. */
const UNDER_WAY_MS = 7_000

/** What somebody else wants to write down, each in the transaction of what it is about. */
export interface ErasureSteps {
  /** There were links and they are ended, whether the person is erased in the end or not. */
  unlinked?: Step
  erased?: Step
}

/**
 * Personal data goes, the wallet and the books stay. No money may be left on a wallet whose owner is gone, and client
 * apps credit it without asking us here. So the links end first, and open card payments are cancelled: from then on
 * nothing new is let through to the ledger. What was let through just before, in this process or another, is decided
 * within the ledger's deadline; we wait that long, and only then is an empty wallet empty for good. If money did come,
 * the person is still there and has it. A link made while we waited would let money through again, so it stops the
 * deletion; so does a card payment that was begun, and an operator who gives something at this moment. Whoever wants
 * to do so after that waits for the person's row, and finds it gone.
 */
export async function deleteAccount(
  context: Context,
  { userId, walletId }: Pick<LoggedIn, 'userId' | 'walletId'>,
  { unlinked, erased }: ErasureSteps = {},
): Promise<void> {
  const { db, processor } = context
  await requireEmpty(context, walletId)
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(endLinks(userId))
    if (rowCount !== 0) await unlinked?.(tx)
  })
  if (processor) await endTopups({ ...context, processor }, userId)
  await sleep(UNDER_WAY_MS)
  await inTransaction(db, async (tx) => {
    await tx.query(lockUser(userId))
    const people = await tx.query(deletePerson(userId))
    // Two at once, and the other one was first.
    if (people.rowCount === 0) return
    const links = await tx.query(endLinks(userId))
    const grants = await tx.query(findGrantUnderWay(userId))
    if (links.rowCount !== 0 || grants.rowCount !== 0) throw new ServiceError('SERVICE_UNAVAILABLE')
    // Without a processor nothing comes of them any more.
    const payments = processor && (await tx.query(findPaymentUnderWay(userId)))
    if (payments && payments.rowCount !== 0) throw new ServiceError('ACCOUNT_NOT_EMPTY')
    // While the row is held nobody can begin anything, so this is true for good.
    await requireEmpty(context, walletId)
    await tx.query(endLogIns(userId))
    await tx.query(deleteTickets(userId))
    await erased?.(tx)
  })
}

async function requireEmpty({ ledger }: Context, walletId: bigint): Promise<void> {
  const wallet = await ledger.readWallet(walletId)
  if (wallet?.balance !== 0n || wallet.debt !== 0n) throw new ServiceError('ACCOUNT_NOT_EMPTY')
}
