import type { Metadata } from '@coffer/contract/server/metadata'
import type { ClientApp as AnyClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import type { LedgerLookup, LedgerRequest, Outcome } from '../ledger/types.ts'
import { readAmount } from '../read-amount.ts'
import { Overloaded, ServiceError, WritesPaused } from '../service-error.ts'
import { markReplay } from './mark-replay.ts'
import { toResponse } from './show-outcome.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'ledgerAccount' | 'isPaused' | 'onMismatch'>

export interface OperationInput {
  serviceUserId: string
  amount: string
  referenceType: string
  referenceId: string
  description?: string | undefined
  metadata?: Metadata | undefined
}

export type FoundLink = Awaited<ReturnType<Context['findLink']>>

/** What the ledger gets, except for the wallet. */
export interface OperationDraft {
  serviceUserId: string
  lookup: Omit<LedgerLookup, 'walletId'>
  texts: Texts
}

/** What a client app stores with an operation. */
export type Texts = Pick<LedgerRequest, 'description' | 'metadata'>

/** Executes a debit or credit once per pair; a repeat gets the original outcome, even if the user has changed since. */
export async function debitOrCredit(
  context: Context,
  kind: 'debit' | 'credit',
  clientApp: ClientApp,
  input: OperationInput,
  headers: Record<string, string>,
) {
  const { findLink, ledger } = context
  const draft = toDraft(context, kind, clientApp, input)
  if (!ledger.hasRoomFor(draft.lookup)) throw new Overloaded('ledger_queue')
  const link = await findLink(clientApp.id, draft.serviceUserId)
  const request = toRequest(clientApp, link, draft)
  const outcome = request ? await ledger.post(request) : await replay(context, link, draft)
  markReplay(context, clientApp, outcome, headers)
  return toResponse(context, clientApp.ledgerAccount, outcome.decision)
}

export function toDraft(
  { config: { currency } }: Context,
  kind: 'debit' | 'credit' | 'hold',
  clientApp: ClientApp,
  input: OperationInput,
): OperationDraft {
  const amountMinor = readAmount('amount', input.amount, currency)
  const { serviceUserId, referenceType, referenceId } = input
  const counterAccount = clientApp.ledgerAccount
  const lookup = { kind, referenceType, referenceId, amountMinor, counterAccount }
  return { serviceUserId, lookup, texts: textsOf(input) }
}

export function textsOf(input: Pick<OperationInput, 'description' | 'metadata'>): Texts {
  const { description = null, metadata = {} } = input
  const isEmpty = Object.keys(metadata).length === 0
  return { description, ...(!isEmpty && { metadata: JSON.stringify(metadata) }) }
}

/** What the ledger may execute; undefined if it may only replay. */
export function toRequest(
  clientApp: ClientApp,
  link: FoundLink,
  { lookup, texts }: OperationDraft,
): LedgerRequest | undefined {
  if (!link?.isLive || clientApp.isPaused) return undefined
  return { ...lookup, walletId: link.walletId, ...texts }
}

/** The outcome of a pair that may only be replayed; throws if it has none. */
export async function replay(
  { ledger }: Context,
  link: FoundLink,
  { lookup }: OperationDraft,
): Promise<Outcome> {
  const known = await ledger.replay({ ...lookup, walletId: link?.walletId ?? null })
  if (known !== undefined) return known
  throw link?.isLive ? new WritesPaused() : new ServiceError('USER_NOT_FOUND')
}
