/** The response that a client app got for its pair, rebuilt with the same functions that produced it. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorBody } from '@coffer/contract/errors'
import { capture, hold, release } from '@coffer/contract/server/holds'
import { credit, debit, refund } from '@coffer/contract/server/wallet'
import type { Context } from '../context.ts'
import { showRefusal } from '../http/render-error.ts'
import type { Decision, Kind } from '../ledger/types.ts'
import { ServiceError } from '../service-error.ts'
import {
  toCaptureResponse,
  toHoldResponse,
  toRefundResponse,
  toReleaseResponse,
  toResponse,
} from './show-outcome.ts'

type Tools = Pick<Context, 'transactionIds' | 'config'>
type Respond = (tools: Tools, ledgerAccount: number, decision: Decision) => object

const CREDIT: [Respond, Endpoint] = [toResponse, credit]
const RESPONSES: Partial<Record<Kind, [Respond, Endpoint]>> = {
  debit: [toResponse, debit],
  refund: [toRefundResponse, refund],
  hold: [toHoldResponse, hold],
  capture: [toCaptureResponse, capture],
  release: [toReleaseResponse, release],
}

/** How the outcome of a kind is shown, and the endpoint that executes it. */
export function responseOf(kind: Kind): [Respond, Endpoint] {
  return RESPONSES[kind] ?? CREDIT
}

export function rebuildOutcome(
  tools: Tools,
  ledgerAccount: number,
  decision: Decision,
): { status: number; body: object | ErrorBody } {
  const [respond, endpoint] = responseOf(decision.kind)
  try {
    return { status: 200, body: respond(tools, ledgerAccount, decision) }
  } catch (error) {
    if (error instanceof ServiceError) return showRefusal(error, endpoint)
    throw error
  }
}
