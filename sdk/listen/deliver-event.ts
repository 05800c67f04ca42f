/** Sends one event as the service sends webhooks, and again if that fails. */
import { sleep } from '../sleep.ts'
import type { CofferEvent } from '../event-types.ts'
import { signWebhook } from '../webhook/sign-webhook.ts'

/** As long as the service waits. */
const TIMEOUT_MS = 15_000
/** Before the second, third and fourth attempt. The service sends again for three days. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000]

export interface Delivery {
  target: URL
  key: Uint8Array<ArrayBuffer>
  print: (line: string) => void
  signal: AbortSignal
}

export async function deliverEvent(event: CofferEvent, delivery: Delivery): Promise<void> {
  const { print, signal } = delivery
  // Only the feed has cursors.
  const body = JSON.stringify({ ...event, cursor: undefined })
  const name = `${event.type} ${event.id}, sequence ${event.sequence}`
  for (let attempt = 0; !signal.aborted; attempt++) {
    const startMs = performance.now()
    const { isDelivered, text } = await attemptDelivery(event.id, body, delivery)
    if (signal.aborted) return
    const result = `${name}: ${text} (${Math.round(performance.now() - startMs)} ms)`
    const delayMs = RETRY_DELAYS_MS[attempt]
    if (isDelivered) return print(result)
    if (delayMs === undefined) return print(`${result}. Given up; continuing with the next event.`)
    print(`${result}. Sending again in ${delayMs / 1_000} s.`)
    await sleep(delayMs, signal)
  }
}

async function attemptDelivery(id: string, body: string, { target, key, signal }: Delivery) {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signed = await signWebhook(key, { id, timestamp, body })
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'coffer-listen' }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    })
    await response.body?.cancel()
    const { status } = response
    return { isDelivered: status >= 200 && status < 300, text: explainStatus(status) }
  } catch (error) {
    const seconds = TIMEOUT_MS / 1_000
    const text = timeout.aborted ? `no response within ${seconds} s` : explainFailure(error, target)
    return { isDelivered: false, text }
  }
}

function explainStatus(status: number): string {
  return status >= 300 && status < 400 ? `${status}, redirects are not followed` : String(status)
}

function explainFailure(error: unknown, target: URL): string {
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  return code === 'ECONNREFUSED'
    ? `nothing listens at ${target.host}, start your server`
    : `no response, ${code ?? (error as Error).message}`
}
