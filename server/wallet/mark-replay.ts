import type { OriginalOutcome } from '@coffer/contract/errors'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import type { Decision, Kind, Outcome } from '../ledger/types.ts'
import { ReferenceMismatch } from '../service-error.ts'
import { rebuildOutcome } from './rebuild-outcome.ts'

type Tools = Pick<Context, 'transactionIds' | 'config'>
type App = Pick<ClientApp, 'ledgerAccount' | 'onMismatch'>

const TYPES: Partial<Record<Kind, OriginalOutcome['type']>> = {
  debit: 'debit',
  credit: 'credit',
  refund: 'refund',
  hold: 'hold',
  capture: 'capture',
  release: 'release',
}

/** Marks a repeat in the headers, and refuses it if it differs and the client app wants that. */
export function markReplay(
  tools: Tools,
  clientApp: App,
  outcome: Outcome,
  headers: Record<string, string>,
) {
  const { replayed, mismatch } = outcome
  if (replayed) headers['Idempotency-Replayed'] = 'true'
  if (mismatch.length > 0) headers['Idempotency-Mismatch'] = mismatch.join(', ')
  refuseMismatch(tools, clientApp, outcome)
}

/** Refusing a mismatch moves no money: the outcome of the first request stands. */
export function refuseMismatch(
  tools: Tools,
  { ledgerAccount, onMismatch }: App,
  { decision, mismatch }: Outcome,
) {
  if (mismatch.length === 0 || onMismatch !== 'conflict') return
  throw new ReferenceMismatch(mismatch, toOriginal(tools, ledgerAccount, decision))
}

function toOriginal(tools: Tools, ledgerAccount: number, decision: Decision): OriginalOutcome {
  const { status, body } = rebuildOutcome(tools, ledgerAccount, decision)
  return { status, type: TYPES[decision.kind] ?? 'credit', ...body }
}
