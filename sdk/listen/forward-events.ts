/** Reads the feed of an app and delivers each event, one after the other. */
import type { CofferError } from '../errors.ts'
import { findEnd, readEvents } from '../read-events.ts'
import { deliverEvent } from './deliver-event.ts'
import type { Arguments } from './read-arguments.ts'

export interface Output {
  print: (line: string) => void
  signal: AbortSignal
}

/** Ends when the signal is aborted. Throws what a retry cannot fix. */
export async function forwardEvents(given: Arguments, { print, signal }: Output): Promise<void> {
  const { connection, types, after } = given
  const onRequest = createFailureReport(connection.origin, print)
  let cursor = after ? after.cursor : await findEnd(connection, { signal, onRequest })
  if (signal.aborted) return
  greet(given, print)
  for await (const event of readEvents(connection, { after: cursor, types, signal }, onRequest)) {
    await deliverEvent(event, { ...given, print, signal })
    // An event that was interrupted is delivered by the next run.
    if (signal.aborted) break
    cursor = event.cursor
  }
  if (cursor) print(`Stopped. To continue with the next event, add --after ${cursor}`)
}

function greet({ clientId, target, newSecret, types }: Arguments, print: Output['print']) {
  const which = types ? `Events of the types ${types.join(', ')}` : 'Events'
  print(`Ready. ${which} of ${clientId} are sent to ${target.href}`)
  if (newSecret) {
    print(`Signing secret: ${newSecret}`)
    print(
      'Set COFFER_WEBHOOK_SECRET to this value in your app. It stays the same until the client secret changes.',
    )
  }
  print('Ctrl-C stops.')
}

/** Reports each interruption once, not each attempt. */
function createFailureReport(origin: string, print: Output['print']) {
  let isInterrupted = false
  return (error: CofferError | undefined) => {
    if (error && !isInterrupted) {
      print(`Cannot read events from ${origin}: ${error.message} Trying again.`)
    }
    if (!error && isInterrupted) print(`Connected to ${origin} again. Continuing to read events.`)
    isInterrupted = error !== undefined
  }
}
