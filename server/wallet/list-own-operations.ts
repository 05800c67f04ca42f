/** Lists what a client app did, newest first, with the sums of the operator's statement. */
import type { listOwnOperations as endpoint } from '@coffer/contract/server/wallet'
import { TRANSACTIONS_DEFAULT } from '@coffer/contract/limits'
import { toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import { searchOperations, type OperationSearch } from '../books/search-operations.ts'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { ReadShares } from '../ledger/read/share-reads.ts'
import { movedBy, type Kind, type Operation } from '../ledger/types.ts'
import { InvalidRequest } from '../service-error.ts'
import { decodeCursor, encodeCursor } from './operation-cursor.ts'
import { readMetadata } from './read-metadata.ts'

type Input = z.output<typeof endpoint.input>
type Page = z.output<typeof endpoint.response>

const KINDS = {
  debit: 'debit',
  credit: 'credit',
  refund: 'refund',
  hold: 'hold',
  capture: 'capture',
  release: 'release',
} as const
/** Hours without operations of the app are skipped, and the rest is searched in parts, so that each request is fast. */
const TIME_LIMIT_MS = 100
const DAY_MS = 24 * 60 * 60 * 1000

/** Limits each app to one of the two connections, so that one app cannot block the others. */
export function shareListReads(): ReadShares {
  return new ReadShares({ atOnce: 2, perScope: 1, waitingMax: 64 })
}

export function createLister(context: Context, shares: ReadShares) {
  return (clientApp: ClientApp, input: Input): Promise<Page> =>
    shares.run(clientApp.ledgerAccount, () => listOwnOperations(context, clientApp, input))
}

async function listOwnOperations(
  context: Context,
  { ledgerAccount }: ClientApp,
  { from, to, cursor, limit = TRANSACTIONS_DEFAULT }: Input,
): Promise<Page> {
  const { transactionIds } = context
  if (from !== undefined && to !== undefined && from > to) {
    throw new InvalidRequest('The field to must not be before from.', 'to')
  }
  const page = await readPage(context, ledgerAccount, {
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    last: cursor === undefined ? undefined : decodeCursor(transactionIds, ledgerAccount, cursor),
    limit,
  })
  return {
    operations: page.operations,
    nextCursor: page.next && encodeCursor(transactionIds, ledgerAccount, page.next),
    archivedBefore: page.archivedBefore?.toISOString() ?? null,
  }
}

type PageSearch = Pick<OperationSearch, 'from' | 'before' | 'last' | 'limit'>

/** The operations of an app as it sees them, newest first. */
export async function readPage(context: Context, ledgerAccount: number, search: PageSearch) {
  const page = await searchOperations(context.db, {
    ...search,
    kinds: Object.keys(KINDS) as Kind[],
    accounts: [ledgerAccount],
    minAmount: undefined,
    timeLimitMs: TIME_LIMIT_MS,
  })
  return { ...page, operations: await showOperations(context, ledgerAccount, page.operations) }
}

async function showOperations(
  context: Context,
  ledgerAccount: number,
  operations: readonly Operation[],
): Promise<Page['operations']> {
  const {
    findIdsAt,
    ledger,
    transactionIds,
    config: { currency },
  } = context
  const [userIds, targets, metadata] = await Promise.all([
    findIdsAt(ledgerAccount, operations),
    ledger.findDebits(operations.flatMap(({ target }) => target ?? [])),
    readMetadata(context, ledgerAccount, operations),
  ])
  return operations.map((operation, index) => {
    const { walletId, seq, kind, referenceType, referenceId } = operation
    const targetSeq = targets.get(operation.target ?? '')
    const targetId =
      targetSeq === undefined
        ? undefined
        : transactionIds.encode(ledgerAccount, walletId, targetSeq)
    return {
      type: KINDS[kind as keyof typeof KINDS],
      amount: toWireNumber(movedBy(operation), currency),
      currency: currency.code,
      referenceType,
      referenceId,
      description: operation.description,
      serviceUserId: userIds[index] ?? '',
      transactionId: transactionIds.encode(ledgerAccount, walletId, seq),
      ...(targetId !== undefined && {
        [kind === 'refund' ? 'refundOf' : 'holdOf']: targetId,
      }),
      createdAt: new Date(operation.createdAtMs).toISOString(),
      ...(metadata[index] && { metadata: metadata[index] }),
    }
  })
}
