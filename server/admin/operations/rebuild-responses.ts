import type { Endpoint } from '@coffer/contract/endpoint'
import { capture, hold, release } from '@coffer/contract/holds'
import { credit, debit, findOperation, readWallet, refund } from '@coffer/contract/server-api'
import type { Context } from '../../context.ts'
import { showRefusal } from '../../http/render-error.ts'
import type { Decision, Kind, Operation } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import { toCaptureResponse, toReleaseResponse } from '../../wallet/change-hold.ts'
import { toResponse } from '../../wallet/debit-or-credit.ts'
import { toHoldResponse } from '../../wallet/place-hold.ts'
import { toRefundResponse } from '../../wallet/refund-debit.ts'
import { showDecision } from '../../wallet/find-operation.ts'
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
      respondOrRefuse(endpoint, () => rebuild(context, account, decision)),
    ),
    write(findOperation, { status: 200, body: found }),
  ]
  if (operation === undefined || !changesBalance(operation)) return responses
  const shown = showTransaction(operation, account, config.currency, transactionIds)
  return [...responses, write(readWallet, { status: 200, body: { transactions: [shown] } })]
}

const ENDPOINTS: Partial<Record<Kind, Endpoint>> = {
  debit,
  debit_refund: refund,
  hold,
  capture,
  release,
}

function endpointOf({ kind }: Decision): Endpoint {
  return ENDPOINTS[kind] ?? credit
}

function rebuild(context: Context, account: number, decision: Decision): object {
  const { kind } = decision
  if (kind === 'debit_refund') return toRefundResponse(context, account, decision)
  if (kind === 'hold') return toHoldResponse(context, account, decision)
  if (kind === 'capture') return toCaptureResponse(context, account, decision)
  if (kind === 'release') return toReleaseResponse(context, account, decision)
  return toResponse(context, account, decision)
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
