import type { Throttles } from '../http/create-throttles.ts'
import { ServiceError } from '../service-error.ts'

/** Whose calls they are. */
export interface StripeCaller {
  userId: bigint
  /** null: at /account. */
  clientAppId: bigint | null
}

/**
 * The processor limits the calls of all client apps together. Whoever has many sessions must not use them up, so the
 * calls that a person causes count for the person and for the client app. Those of all people at /account count
 * together, like those of one client app.
 */
export async function mayCallStripe(
  { throttles }: { throttles: Throttles },
  { userId, clientAppId }: StripeCaller,
): Promise<boolean> {
  return (
    (await throttles.mayPersonCallStripe(String(userId))) &&
    (await throttles.mayAppCallStripe(String(clientAppId ?? 'account')))
  )
}

export async function limitStripeCalls(
  tools: { throttles: Throttles },
  caller: StripeCaller,
): Promise<void> {
  if (!(await mayCallStripe(tools, caller))) throw new ServiceError('RATE_LIMITED')
}
