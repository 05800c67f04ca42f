/** Sends the events of an app to a local server of the same process, as `npx @coffer/sdk listen` does. */
import { checkOptions } from '../sdk/check-options.ts'
import { forwardEvents } from '../sdk/listen/forward-events.ts'
import type { CofferOptions } from '../sdk/types.ts'
import { readSecret } from '../sdk/webhook/read-secret.ts'

export function forwardWebhooks(coffer: CofferOptions, url: string, secret: string) {
  const stop = new AbortController()
  const { promise: isReady, resolve } = Promise.withResolvers<void>()
  const given = {
    connection: checkOptions(coffer),
    clientId: coffer.clientId ?? '',
    target: new URL(url),
    types: undefined,
    after: undefined,
    key: readSecret(secret),
    newSecret: undefined,
  }
  // The first printed line reports that it is ready. If the operator revokes the secret of the app, forwarding ends.
  const forwarding = forwardEvents(given, { print: () => resolve(), signal: stop.signal }).catch(
    () => resolve(),
  )
  return {
    isReady,
    stop() {
      stop.abort()
      return forwarding
    },
  }
}
