import type { Endpoint } from '@coffer/contract/endpoint'
import { findOperation, readWallet } from '@coffer/contract/server/wallet'
import type { Context } from '../../context.ts'
import { showRefusal } from '../../http/render-error.ts'
import type { Decision, Operation } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import { showDecision } from '../../wallet/find-operation.ts'
import { rebuildOutcome, responseOf } from '../../wallet/rebuild-outcome.ts'
import { changesBalance, showTransaction } from '../../wallet/show-transaction.ts'
import type { Owner } from './queries.ts'

export interface OwnedPair {
  /** undefined: the pair belongs to the service itself. */
  owner: Owner | undefined
  referenceType: string
  referenceId: string
}

interface RebuiltResponse {
  call: string
  status: number
  body: string
}

/** The responses that a client app got for its pair, rebuilt with the same functions that produced them. */
export async function rebuildResponses(
  context: Context,
  { owner, ...pair }: OwnedPair,
  decision: Decision | undefined,
  operation: Operation | undefined,
): Promise<RebuiltResponse[]> {
  if (owner === undefined) return []
  const { ledgerAccount } = owner
  const { config, transactionIds } = context
  if (decision === undefined) {
    const unknown = new ServiceError('OPERATION_NOT_FOUND')
    return [write(findOperation, showRefusal(unknown, findOperation))]
  }
  const [, endpoint] = responseOf(decision.kind)
  const found = await showDecision(context, ledgerAccount, pair, decision)
  const responses = [
    write(endpoint, rebuildOutcome(context, ledgerAccount, decision)),
    write(findOperation, { status: 200, body: found }),
  ]
  if (operation === undefined || !changesBalance(operation)) return responses
  const shown = showTransaction(operation, ledgerAccount, config.currency, transactionIds)
  return [...responses, write(readWallet, { status: 200, body: { transactions: [shown] } })]
}

function write({ method, path }: Endpoint, { status, body }: { status: number; body: object }) {
  return { call: `${method} ${path}`, status, body: JSON.stringify(body, null, 2) }
}
