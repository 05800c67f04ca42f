/** Shows whether a payment was made: the request, the response, and later requests with different content. */
import type { lookUpOperation as endpoint } from '@coffer/contract/admin/operations'
import { toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import { PERSON_VIEWER } from '../../account/search-history.ts'
import type { Context } from '../../context.ts'
import { many, one } from '../../database/statement.ts'
import { type Decision, type Operation, scopeOf, SERVICE_SCOPE } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import { isPossible } from '../../wallet/transaction-id.ts'
import { readOperation } from '../read-operation.ts'
import { findNames, requireOwner, type ShowHolder } from './find-names.ts'
import { findOwnerByAccount, LIST_ACCOUNTS, type Owner } from './queries.ts'
import { type OwnedPair, rebuildResponses } from './rebuild-responses.ts'

const ATTEMPTS_MAX = 100

type Input = z.output<typeof endpoint.input>
type Found = z.output<typeof endpoint.response>

export async function lookUpOperation(context: Context, input: Input): Promise<Found> {
  const { ledger, config } = context
  const pair = await findPair(context, input)
  const { owner, referenceType, referenceId } = pair
  const scope = owner ? owner.ledgerAccount : SERVICE_SCOPE
  // The decision must be durable, so it is read first. The data read after it needs no such guarantee.
  const decision = await ledger.findDecision(scope, referenceType, referenceId, SERVICE_SCOPE)
  const [operation, attempts] = await Promise.all([
    decision && readOperation(context, decision),
    ledger.listMismatches(scope, referenceType, referenceId, ATTEMPTS_MAX + 1),
  ])
  const wallets = [decision, ...attempts].flatMap((each) => each?.walletId ?? [])
  const [showHolder, similar] = await Promise.all([
    findNames(context.db, wallets),
    operation ? findSimilar(context, operation) : [],
  ])
  const { refunded } = await ledger.findRefunds(operation ? [operation, ...similar] : [])
  const showRefunded = (charge: Operation | undefined) =>
    toWireNumber((charge && refunded.get(charge)) ?? 0n, config.currency)
  const found = decision && showDecision(context, scope, decision, operation, showHolder)
  return {
    clientApp: owner ? { clientId: owner.clientId, name: owner.name } : null,
    referenceType,
    referenceId,
    currency: config.currency.code,
    decision: found ? { ...found, refunded: showRefunded(operation) } : null,
    attempts: attempts.slice(0, ATTEMPTS_MAX).map((attempt) => ({
      at: new Date(attempt.attemptedAtMs).toISOString(),
      kind: attempt.kind,
      amount: toWireNumber(attempt.amountMinor, config.currency),
      differs: [...attempt.differs],
      person: attempt.walletId === null ? null : showHolder(attempt.walletId),
    })),
    hasMoreAttempts: attempts.length > ATTEMPTS_MAX,
    similar: similar.map((each) => ({
      referenceType: each.referenceType,
      referenceId: each.referenceId,
      description: each.description,
      refunded: showRefunded(each),
      createdAt: new Date(each.createdAtMs).toISOString(),
    })),
    responses: await rebuildResponses(context, pair, decision, operation),
  }
}

async function findPair(context: Context, input: Input): Promise<OwnedPair> {
  const { clientId, referenceType, referenceId, transactionId } = input
  const owner = clientId === undefined ? undefined : await requireOwner(context.db, clientId)
  if (transactionId !== undefined) return openTransactionId(context, owner, transactionId)
  if (referenceType === undefined) throw new ServiceError('INVALID_REQUEST', 'referenceType')
  if (referenceId === undefined) throw new ServiceError('INVALID_REQUEST', 'referenceId')
  return { owner, referenceType, referenceId }
}

/** An app has its own ids for the operations of others too; the operation names the app that the pair belongs to. */
async function openTransactionId(
  context: Context,
  viewer: Owner | undefined,
  transactionId: string,
): Promise<OwnedPair> {
  const { db, ledger } = context
  const found = await decodeTransactionId(context, viewer, transactionId)
  const [operation] = found ? await ledger.readHistoryPage(found.walletId, found.seq, 1) : []
  if (operation === undefined || operation.seq !== found?.seq) throw new ServiceError('NOT_FOUND')
  const { referenceType, referenceId } = operation
  const owner = await one(db, findOwnerByAccount(scopeOf(operation)))
  return { owner, referenceType, referenceId }
}

/** Without a viewer: the wallet and seq that the id names for the person or for any app. For all others it is impossible. */
async function decodeTransactionId(
  { db, transactionIds }: Context,
  viewer: Owner | undefined,
  transactionId: string,
) {
  const open = (ledgerAccount: number) => {
    const found = transactionIds.decode(ledgerAccount, transactionId)
    return found && isPossible(found) ? found : undefined
  }
  if (viewer) return open(viewer.ledgerAccount)
  const own = open(PERSON_VIEWER)
  if (own) return own
  for (const ledgerAccount of await many(db, LIST_ACCOUNTS)) {
    const found = open(ledgerAccount)
    if (found) return found
  }
  return undefined
}

function showDecision(
  { config: { currency }, transactionIds }: Context,
  scope: number,
  decision: Decision,
  operation: Operation | undefined,
  showHolder: ShowHolder,
): Omit<NonNullable<Found['decision']>, 'refunded'> {
  const { kind, amountMinor, refusal, balanceAfter, walletId, seq } = decision
  const idFor = (viewer: number) =>
    refusal === null ? transactionIds.encode(viewer, walletId, seq) : null
  return {
    status: refusal === null ? 'posted' : 'refused',
    kind,
    amount: toWireNumber(amountMinor, currency),
    code: refusal,
    balance: balanceAfter === null ? null : toWireNumber(balanceAfter, currency),
    debt: toWireNumber(operation?.debtChange ?? 0n, currency),
    description: operation?.description ?? null,
    decidedAt: new Date(decision.decidedAtMs).toISOString(),
    person: showHolder(walletId),
    transactionId: idFor(PERSON_VIEWER),
    appTransactionId: scope === SERVICE_SCOPE ? null : idFor(scope),
  }
}

const WITHIN_MS = 10 * 60 * 1000
/** Before and after the debit: a wallet with more entries in ten minutes is rare, and each lookup must be fast. */
const ENTRIES = 50

/** Debits that a person may mean who was charged twice: same wallet, app and amount, at about the same time. */
export async function findSimilar(
  { ledger }: Pick<Context, 'ledger'>,
  debit: Operation,
): Promise<Operation[]> {
  if (debit.kind !== 'debit') return []
  const upToSeq = debit.seq + BigInt(ENTRIES)
  const around = await ledger.readHistoryPage(debit.walletId, upToSeq, 2 * ENTRIES + 1)
  return around.filter(
    (each) =>
      each.kind === 'debit' &&
      each.seq !== debit.seq &&
      each.counterAccount === debit.counterAccount &&
      each.amount === debit.amount &&
      Math.abs(each.createdAtMs - debit.createdAtMs) <= WITHIN_MS,
  )
}
