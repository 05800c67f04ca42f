/** The calls that move or reserve money, alone or in a batch. */
import type { Connection } from './check-options.ts'
import { sendBatch } from './send-batch.ts'
import { send } from './send.ts'
import type * as types from './types.ts'

type RequireLinked = (id: types.ServiceUserId) => string

export function createOperationCalls(connection: Connection, requireLinked: RequireLinked) {
  function post<Output extends object>(
    operation: types.BatchOperation,
    requiredField: keyof Output & string,
  ): Promise<Output> {
    const fields = pickFields(operation, requireLinked)
    const reference = referenceOf(operation)
    const path = `/api/server/wallet/${operation.type}`
    return send(connection, { method: 'POST', path, fields, reference, requiredField })
  }

  return {
    async debit(input: types.OperationInput) {
      return post<types.OperationResult>({ ...input, type: 'debit' }, 'balance')
    },

    async credit(input: types.OperationInput) {
      return post<types.OperationResult>({ ...input, type: 'credit' }, 'balance')
    },

    async refund(input: types.RefundInput) {
      return post<types.RefundResult>({ ...input, type: 'refund' }, 'refundable')
    },

    async hold(input: types.HoldInput) {
      return post<types.HoldResult>({ ...input, type: 'hold' }, 'expiresAt')
    },

    async capture(input: types.CaptureInput) {
      return post<types.CaptureResult>({ ...input, type: 'capture' }, 'captured')
    },

    async release(input: types.ReleaseInput) {
      return post<types.ReleaseResult>({ ...input, type: 'release' }, 'released')
    },

    async batch(operations: readonly types.BatchOperation[]) {
      const picked = operations.map((each) => ({
        type: each.type,
        ...pickFields(each, requireLinked),
      }))
      return sendBatch(connection, picked)
    },
  }
}

/** What an operation sends beside its type, without other fields that an object may have. */
function pickFields(operation: types.BatchOperation, requireLinked: RequireLinked) {
  const common = { ...referenceOf(operation), description: operation.description }
  if (operation.type === 'release') return { hold: referenceOf(operation.hold), ...common }
  if (operation.type === 'capture') {
    const { hold, amount, isFinal } = operation
    return { hold: referenceOf(hold), amount, isFinal, ...common }
  }
  const { amount, metadata } = operation
  if (operation.type === 'refund') {
    return { debit: referenceOf(operation.debit), amount, ...common, metadata }
  }
  const fields = {
    serviceUserId: requireLinked(operation.serviceUserId),
    amount,
    ...common,
    metadata,
  }
  if (operation.type !== 'hold') return fields
  return { ...fields, expiresInSeconds: operation.expiresInSeconds }
}

function referenceOf({ referenceType, referenceId }: types.Reference): types.Reference {
  return { referenceType, referenceId }
}
