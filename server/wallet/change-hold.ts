/** Captures or releases a hold, once per pair. */
import type { ClientApp as AnyClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { executeOnTarget, toTargetDraft, type Pair, type TargetInput } from './execute-on-target.ts'
import { toCaptureResponse, toReleaseResponse } from './show-outcome.ts'

type ClientApp = Pick<AnyClientApp, 'id' | 'ledgerAccount' | 'isPaused' | 'onMismatch'>
type Input = TargetInput & { hold: Pair }

export async function captureHold(
  context: Context,
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
) {
  const draft = toTargetDraft(context, 'capture', clientApp, input.hold, input)
  const decision = await executeOnTarget(context, clientApp, draft, headers)
  return toCaptureResponse(context, clientApp.ledgerAccount, decision)
}

export async function releaseHold(
  context: Context,
  clientApp: ClientApp,
  input: Input,
  headers: Record<string, string>,
) {
  const draft = toTargetDraft(context, 'release', clientApp, input.hold, input)
  const decision = await executeOnTarget(context, clientApp, draft, headers)
  return toReleaseResponse(context, clientApp.ledgerAccount, decision)
}
