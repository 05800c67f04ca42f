import type { Throttles } from '../http/create-throttles.ts'
import { ServiceError } from '../service-error.ts'

/** Whose calls they are. */
export interface StripeCaller {
  userId: bigint
  /** null: at /account. */
  clientAppId: bigint | null
}

/**
 * The processor limits the calls of all client apps together. A person with many sessions must not use up this limit,
 * so the calls that a person causes count for the person in the client app, and for the client app. Those of all people
 * at /account count together, like those of one client app. An app can cause calls without the person, so it must not
 * use up what the person may cause elsewhere.
 */
export async function mayCallStripe(
  { throttles }: { throttles: Throttles },
  { userId, clientAppId }: StripeCaller,
): Promise<boolean> {
  const app = String(clientAppId ?? 'account')
  return (
    (await throttles.mayPersonCallStripe(`${userId} ${app}`)) &&
    (await throttles.mayAppCallStripe(app))
  )
}

export async function limitStripeCalls(
  tools: { throttles: Throttles },
  caller: StripeCaller,
): Promise<void> {
  if (!(await mayCallStripe(tools, caller))) throw new ServiceError('RATE_LIMITED')
}
