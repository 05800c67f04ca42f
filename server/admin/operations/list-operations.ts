import type { listOperations as endpoint } from '@coffer/contract/admin/operations'
import { parseAmount, toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import { PERSON_VIEWER, selectKinds } from '../../account/search-history.ts'
import { searchOperations } from '../../books/search-operations.ts'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import {
  BONUS_ACCOUNT,
  CORRECTION_ACCOUNT,
  isOfApp,
  type Kind,
  type Operation,
  PROCESSOR_ACCOUNT,
  scopeOf,
  UNCLAIMED_ACCOUNT,
} from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import { decodeCursor, encodeCursor } from '../../wallet/operation-cursor.ts'
import { showTransaction } from '../../wallet/show-transaction.ts'
import { findNames, requireOwner } from './find-names.ts'
import { findOwners } from './queries.ts'

const PAGE = 50
/** A rare match is searched in parts, so that each request is fast. */
const TIME_LIMIT_MS = 100
const MINUTE_MS = 60_000

type Input = z.output<typeof endpoint.input>
type ListedPage = z.output<typeof endpoint.response>

export async function listOperations(context: Context, input: Input): Promise<ListedPage> {
  const { db, config, transactionIds } = context
  const kinds = selectKinds({ type: input.type, kind: input.kind })
  const page = await searchOperations(db, {
    kinds,
    accounts: await findAccounts(context, input.clientId, kinds),
    minAmount: readAmount(context, input.minAmount),
    referenceId: input.referenceId,
    from: input.from === undefined ? undefined : new Date(readMinute(input.from)),
    before: input.to === undefined ? undefined : new Date(readMinute(input.to) + MINUTE_MS),
    last:
      input.cursor === undefined
        ? undefined
        : decodeCursor(transactionIds, PERSON_VIEWER, input.cursor),
    limit: PAGE,
    timeLimitMs: TIME_LIMIT_MS,
  })
  return {
    operations: await showOperations(context, page.operations),
    currency: config.currency.code,
    nextCursor: page.next && encodeCursor(transactionIds, PERSON_VIEWER, page.next),
    searchedFrom: page.next && page.next.at.toISOString(),
    archivedBefore: page.archivedBefore?.toISOString() ?? null,
  }
}

function readMinute(minute: string): number {
  return Date.parse(`${minute}Z`)
}

/** The kinds that client apps do not post are between a wallet and one of the service's own accounts, except for the expiry of a hold. */
async function findAccounts(
  { db }: Context,
  clientId: string | undefined,
  kinds: readonly Kind[],
): Promise<number[] | undefined> {
  if (clientId !== undefined) return [(await requireOwner(db, clientId)).ledgerAccount]
  if (kinds.some((kind) => isOfApp(kind) || kind === 'expiry')) return undefined
  return [PROCESSOR_ACCOUNT, BONUS_ACCOUNT, CORRECTION_ACCOUNT, UNCLAIMED_ACCOUNT]
}

function readAmount({ config }: Context, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const amount = parseAmount(text, config.currency)
  if (amount === undefined) throw new ServiceError('INVALID_REQUEST', 'minAmount')
  return amount
}

async function showOperations(
  context: Context,
  operations: readonly Operation[],
): Promise<ListedPage['operations']> {
  const { db, config, transactionIds } = context
  const [showHolder, owners] = await Promise.all([
    findNames(
      db,
      operations.map(({ walletId }) => walletId),
    ),
    many(db, findOwners([...new Set(operations.map(scopeOf))])),
  ])
  const apps = new Map(
    owners.map(({ ledgerAccount, clientId, name }) => [ledgerAccount, { clientId, name }]),
  )
  return operations.map((operation) => {
    const shown = showTransaction(operation, PERSON_VIEWER, config.currency, transactionIds)
    const { id, type, amount, createdAt } = shown
    const { kind, referenceType, referenceId } = operation
    const clientApp = apps.get(scopeOf(operation)) ?? null
    const person = showHolder(operation.walletId)
    const debtChange = toWireNumber(operation.debtChange, config.currency)
    const pair = { referenceType, referenceId }
    return { id, kind, type, amount, debtChange, createdAt, ...pair, clientApp, person }
  })
}
