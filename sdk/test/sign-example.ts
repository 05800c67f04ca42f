import { writeSecret } from '../webhook/read-secret.ts'
import { signWebhook } from '../webhook/sign-webhook.ts'

/** A webhook that the service could send, as variables. */
export async function signExample() {
  const data = { serviceUserId: 'su_1', reason: 'user' }
  const WEBHOOK = JSON.stringify({ id: 'evt_1', sequence: 1, type: 'link.ended', data })
  const key = new Uint8Array(24)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = await signWebhook(key, { id: 'evt_1', timestamp, body: WEBHOOK })
  const COFFER_WEBHOOK_SECRET = writeSecret(key)
  return { WEBHOOK, WEBHOOK_HEADERS: JSON.stringify(headers), COFFER_WEBHOOK_SECRET }
}
