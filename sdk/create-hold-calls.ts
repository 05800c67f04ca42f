/** The calls that reserve money and capture or release it later. */
import type { Line } from './check-options.ts'
import { send } from './send.ts'
import type * as types from './types.ts'

export function createHoldCalls(line: Line, linked: (id: types.ServiceUserId) => string) {
  return {
    async hold(input: types.HoldInput): Promise<types.HoldResult> {
      const { amount, expiresInSeconds, description, metadata } = input
      const serviceUserId = linked(input.serviceUserId)
      const reference = referenceOf(input)
      const texts = { description, metadata }
      const fields = { serviceUserId, amount, expiresInSeconds, ...reference, ...texts }
      const path = '/api/server/wallet/hold'
      return send(line, { method: 'POST', path, fields, reference, proof: 'expiresAt' })
    },

    async capture(input: types.CaptureInput): Promise<types.CaptureResult> {
      const { amount, isFinal, description } = input
      const reference = referenceOf(input)
      const fields = { hold: referenceOf(input.hold), amount, isFinal, ...reference, description }
      const path = '/api/server/wallet/capture'
      return send(line, { method: 'POST', path, fields, reference, proof: 'captured' })
    },

    async release(input: types.ReleaseInput): Promise<types.ReleaseResult> {
      const reference = referenceOf(input)
      const { description } = input
      const fields = { hold: referenceOf(input.hold), ...reference, description }
      const path = '/api/server/wallet/release'
      return send(line, { method: 'POST', path, fields, reference, proof: 'released' })
    },
  }
}

/** Without other fields that an object may have. */
export function referenceOf({ referenceType, referenceId }: types.Reference): types.Reference {
  return { referenceType, referenceId }
}
