import type { Throttles } from '../http/create-throttles.ts'
import { ServiceError } from '../service-error.ts'

/**
 * The processor limits the calls of all client apps together. Whoever has many sessions must not use them up, so the
 * calls that a person causes count for the person and for the client app.
 */
export async function limitStripeCalls(
  { throttles }: { throttles: Throttles },
  { userId, clientAppId }: { userId: bigint; clientAppId: bigint },
): Promise<void> {
  const isAllowed =
    (await throttles.mayPersonCallStripe(String(userId))) &&
    (await throttles.mayAppCallStripe(String(clientAppId)))
  if (!isAllowed) throw new ServiceError('RATE_LIMITED')
}
