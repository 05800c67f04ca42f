/** Sends several operations in one request. */
import type { Connection } from './check-options.ts'
import { explainMismatch } from './read-response.ts'
import { send } from './send.ts'
import type { BatchFailure, BatchResult } from './types.ts'

const path = '/api/server/wallet/batch'

export async function sendBatch(
  connection: Connection,
  operations: object[],
): Promise<BatchResult[]> {
  const { results } = await send<{ results: BatchResult[] }>(connection, {
    method: 'POST',
    path,
    fields: { operations },
    requiredField: 'results',
    onOutcomeUnknown: ({ message }) => ({
      results: operations.map(() => describeUnknownOutcome(message)),
    }),
  })
  return operations.map((_, index) => {
    const result = results[index]
    return result
      ? readResult(result)
      : describeUnknownOutcome('The response has no result for it.')
  })
}

/** A repeat that differs gets the outcome of the first request. Here it is an error, as in the single calls. */
function readResult(result: BatchResult): BatchResult {
  const { idempotencyMismatch, idempotencyReplayed, ...outcome } = result
  const original =
    outcome.code === 'REFERENCE_MISMATCH' ? outcome.original : (outcome as BatchResult)
  if (!idempotencyMismatch || !original) return result
  const error = explainMismatch(idempotencyMismatch)
  const marks = { idempotencyReplayed, idempotencyMismatch }
  return { status: 409, code: 'REPLAY_MISMATCH', error, ...marks, original }
}

function describeUnknownOutcome(reason: string): BatchFailure {
  return {
    status: 503,
    code: 'OUTCOME_UNKNOWN',
    error: `It is not known whether the operation was executed. Send it again with the same referenceType and referenceId: it is executed at most once. ${reason}`,
  }
}
