/**
 * Executes a refund, capture or release. The operation that it names, its target, determines the wallet. It works on a
 * frozen wallet, and after the user has unlinked the app.
 */
import type { ClientApp as AnyClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { digestPair } from '../ledger/digest.ts'
import type { Decision, Kind, LedgerLookup, LedgerRequest, Outcome } from '../ledger/types.ts'
import { readAmount } from '../read-amount.ts'
import { Overloaded, ServiceError, WritesPaused } from '../service-error.ts'
import { textsOf, type OperationInput, type Texts } from './debit-or-credit.ts'
import { markReplay } from './mark-replay.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'ledgerAccount' | 'isPaused' | 'onMismatch'>

export type Pair = Pick<OperationInput, 'referenceType' | 'referenceId'>

export interface TargetInput extends Omit<OperationInput, 'serviceUserId' | 'amount'> {
  amount?: string | undefined
  /** Only of a capture. */
  isFinal?: boolean | undefined
}

/** What the ledger gets, except for what the target determines. */
export interface TargetDraft {
  /** The digest of the target. */
  target: string
  lookup: Omit<LedgerLookup, 'walletId' | 'refund' | 'holdChange'>
  isAmountOmitted: boolean
  isFinal: boolean
  texts: Texts
}

export function toTargetDraft(
  { config: { currency } }: Context,
  kind: 'refund' | 'capture' | 'release',
  { ledgerAccount: counterAccount }: Pick<ClientApp, 'ledgerAccount'>,
  target: Pair,
  input: TargetInput,
): TargetDraft {
  const { amount, isFinal = true, referenceType, referenceId } = input
  const isAmountOmitted = amount === undefined
  const amountMinor = isAmountOmitted ? 0n : readAmount('amount', amount, currency)
  return {
    target: digestPair(counterAccount, target.referenceType, target.referenceId),
    lookup: { kind, referenceType, referenceId, amountMinor, counterAccount },
    isAmountOmitted,
    isFinal,
    texts: textsOf(input),
  }
}

export async function executeOnTarget(
  context: Context,
  clientApp: ClientApp,
  draft: TargetDraft,
  headers: Record<string, string>,
): Promise<Decision> {
  if (!context.ledger.hasRoomFor(draft.lookup)) throw new Overloaded('ledger_queue')
  const outcome = await postOnTarget(context, clientApp, draft)
  markReplay(context, clientApp, outcome, headers)
  return outcome.decision
}

export async function postOnTarget(
  context: Context,
  clientApp: ClientApp,
  draft: TargetDraft,
): Promise<Outcome> {
  const found = await context.ledger.findTarget(clientApp.ledgerAccount, draft.target)
  const walletId = found && walletOf(draft, found)
  const request = await toTargetRequest(context, clientApp, draft, walletId)
  return request ? context.ledger.post(request) : replayOnTarget(context, draft, walletId)
}

/** undefined if it cannot be the target of the operation. */
export function walletOf(
  { lookup }: TargetDraft,
  { kind, walletId }: Pick<Decision, 'kind' | 'walletId'>,
): bigint | undefined {
  const kinds: readonly Kind[] = lookup.kind === 'refund' ? ['debit', 'capture'] : ['hold']
  return kinds.includes(kind) ? walletId : undefined
}

/** What the ledger may execute; undefined if it may only replay. */
export async function toTargetRequest(
  { isLinked }: Context,
  clientApp: ClientApp,
  draft: TargetDraft,
  walletId: bigint | undefined,
): Promise<LedgerRequest | undefined> {
  if (walletId === undefined || clientApp.isPaused) return undefined
  const { lookup, texts } = draft
  const isBalanceHidden = !(await isLinked(clientApp.id, walletId))
  return { ...lookup, walletId, ...texts, ...termsOf(draft, isBalanceHidden) }
}

/** The outcome of a pair that may only be replayed; throws if it has none. */
export async function replayOnTarget(
  { ledger }: Context,
  draft: TargetDraft,
  walletId: bigint | undefined,
): Promise<Outcome> {
  const lookup = { ...draft.lookup, walletId: walletId ?? null, ...termsOf(draft, false) }
  const known = await ledger.replay(lookup)
  if (known !== undefined) return known
  throw walletId === undefined ? new ServiceError('OPERATION_NOT_FOUND') : new WritesPaused()
}

function termsOf(
  { lookup, target, isAmountOmitted, isFinal }: TargetDraft,
  isBalanceHidden: boolean,
): Pick<LedgerLookup, 'refund' | 'holdChange'> {
  const terms = { target, isAmountOmitted, isBalanceHidden }
  return lookup.kind === 'refund' ? { refund: terms } : { holdChange: { ...terms, isFinal } }
}
