import type Stripe from 'stripe'
import { LIST_PARAMS, listObjects } from '../http/list-objects.ts'
import type { Call, Operation } from '../http/mount-api.ts'
import { mergeMetadata, readBoolean, readGroup, readString } from '../http/read-params.ts'
import { missing } from '../stripe-error.ts'
import { emitEvent } from '../webhooks/emit-event.ts'
import { resolveDispute } from './resolve-dispute.ts'

export const DISPUTE_OPERATIONS: Operation[] = [
  { route: 'GET /v1/disputes', accepts: [...LIST_PARAMS, 'charge', 'payment_intent'], run: list },
  { route: 'GET /v1/disputes/:id', accepts: [], run: retrieve },
  { route: 'POST /v1/disputes/:id', accepts: ['metadata', 'evidence', 'submit'], run: update },
  { route: 'POST /v1/disputes/:id/close', accepts: [], run: close },
]

function list({ sandbox, params }: Call) {
  const charge = readString(params, 'charge')
  const intent = readString(params, 'payment_intent')
  const isWanted = (dispute: Stripe.Dispute) =>
    (charge === null || dispute.charge === charge) &&
    (intent === null || dispute.payment_intent === intent)
  return listObjects(sandbox.state.disputes, params, '/v1/disputes', isWanted)
}

function retrieve({ sandbox, id }: Call) {
  const dispute = sandbox.state.disputes.get(id)
  if (dispute === undefined) throw missing('dispute', id)
  return dispute
}

/** Evidence resolves the dispute immediately, with the values that Stripe's test mode accepts. */
function update(call: Call) {
  const { sandbox, params } = call
  const dispute = retrieve(call)
  const evidence = readGroup(params, 'evidence') ?? {}
  const text = readString(evidence, 'uncategorized_text')
  dispute.metadata = mergeMetadata(dispute.metadata, params)
  if (text !== null) {
    dispute.evidence.uncategorized_text = text
    dispute.evidence_details.has_evidence = true
  }
  const isSubmitted = text !== null && readBoolean(params, 'submit') !== false
  if (isSubmitted) dispute.evidence_details.submission_count += 1
  emitEvent(sandbox, 'charge.dispute.updated', dispute)
  const isInquiry = dispute.status.startsWith('warning_')
  if (isSubmitted && text === 'winning_evidence') {
    resolveDispute(sandbox, dispute, isInquiry ? 'warning_closed' : 'won')
  }
  if (isSubmitted && text === 'losing_evidence') {
    resolveDispute(sandbox, dispute, isInquiry ? 'warning_closed' : 'lost')
  }
  return dispute
}

function close(call: Call) {
  const dispute = retrieve(call)
  const isInquiry = dispute.status.startsWith('warning_')
  resolveDispute(call.sandbox, dispute, isInquiry ? 'warning_closed' : 'lost')
  return dispute
}
