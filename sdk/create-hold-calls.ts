/** The calls that reserve money and capture or release it later. */
import type { Connection } from './check-options.ts'
import { send } from './send.ts'
import type * as types from './types.ts'

export function createHoldCalls(
  connection: Connection,
  requireLinked: (id: types.ServiceUserId) => string,
) {
  return {
    async hold(input: types.HoldInput): Promise<types.HoldResult> {
      const { amount, expiresInSeconds, description, metadata } = input
      const serviceUserId = requireLinked(input.serviceUserId)
      const reference = referenceOf(input)
      const texts = { description, metadata }
      const fields = { serviceUserId, amount, expiresInSeconds, ...reference, ...texts }
      const path = '/api/server/wallet/hold'
      const call = { method: 'POST', path, fields, reference, requiredField: 'expiresAt' } as const
      return send(connection, call)
    },

    async capture(input: types.CaptureInput): Promise<types.CaptureResult> {
      const { amount, isFinal, description } = input
      const reference = referenceOf(input)
      const fields = { hold: referenceOf(input.hold), amount, isFinal, ...reference, description }
      const path = '/api/server/wallet/capture'
      const call = { method: 'POST', path, fields, reference, requiredField: 'captured' } as const
      return send(connection, call)
    },

    async release(input: types.ReleaseInput): Promise<types.ReleaseResult> {
      const reference = referenceOf(input)
      const { description } = input
      const fields = { hold: referenceOf(input.hold), ...reference, description }
      const path = '/api/server/wallet/release'
      const call = { method: 'POST', path, fields, reference, requiredField: 'released' } as const
      return send(connection, call)
    },
  }
}

/** Without other fields that an object may have. */
export function referenceOf({ referenceType, referenceId }: types.Reference): types.Reference {
  return { referenceType, referenceId }
}
