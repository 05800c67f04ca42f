import type { Endpoint } from '@coffer/contract/endpoint'
import { credit, debit, findOperation, readWallet, refund } from '@coffer/contract/server-api'
import type { Context } from '../../context.ts'
import { showRefusal } from '../../http/render-error.ts'
import type { Decision, Operation } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import { toResponse } from '../../wallet/debit-or-credit.ts'
import { toRefundResponse } from '../../wallet/refund-debit.ts'
import { showDecision } from '../../wallet/find-operation.ts'
import { showTransaction } from '../../wallet/show-transaction.ts'
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
  const { account } = owner
  const { config, transactionIds } = context
  if (decision === undefined) {
    const unknown = new ServiceError('OPERATION_NOT_FOUND')
    return [write(findOperation, showRefusal(unknown, findOperation))]
  }
  const endpoint = endpointOf(decision)
  const found = await showDecision(context, account, pair, decision)
  const responses = [
    write(
      endpoint,
      respondOrRefuse(endpoint, () =>
        decision.refund
          ? toRefundResponse(context, account, decision)
          : toResponse(context, account, decision),
      ),
    ),
    write(findOperation, { status: 200, body: found }),
  ]
  if (operation === undefined) return responses
  const shown = showTransaction(operation, account, config.currency, transactionIds)
  return [...responses, write(readWallet, { status: 200, body: { transactions: [shown] } })]
}

function endpointOf({ kind, refund: terms }: Decision): Endpoint {
  if (terms) return refund
  return kind === 'debit' ? debit : credit
}

function respondOrRefuse(endpoint: Endpoint, respond: () => object) {
  try {
    return { status: 200, body: respond() }
  } catch (error) {
    if (error instanceof ServiceError) return showRefusal(error, endpoint)
    throw error
  }
}

function write({ method, path }: Endpoint, { status, body }: { status: number; body: object }) {
  return { call: `${method} ${path}`, status, body: JSON.stringify(body, null, 2) }
}
