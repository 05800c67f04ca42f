/** Reacts to what the service reports. Each event takes effect once, however often it arrives. */
import { InvalidWebhookError, verifyWebhook, type WebhookEvent } from '@coffer/sdk'
import type { IncomingHttpHeaders } from 'node:http'
import { UNLINKED, type OpenPages } from './open-pages.ts'
import type { Store, User } from './store.ts'

interface Tools {
  store: Store
  pages: OpenPages
  /** whsec_…, of the endpoint or of `listen`. */
  webhookSecret: string | undefined
}

/** Returns the status of the response. The body is what was received: only its exact bytes match the signature. */
export async function receiveWebhook(
  tools: Tools,
  body: Uint8Array,
  headers: IncomingHttpHeaders,
): Promise<number> {
  try {
    react(tools, await verifyWebhook(body, headers, tools.webhookSecret))
    return 204
  } catch (error) {
    if (!(error instanceof InvalidWebhookError)) throw error
    process.stderr.write(`A webhook was rejected: ${error.message}\n`)
    return 400
  }
}

/** Types that the shop does not know, or does not need, are accepted too: the service must not send them again. */
function react({ store, pages }: Tools, event: WebhookEvent) {
  let affected: User[] = []
  if (event.type === 'link.ended') {
    const { serviceUserId } = event.data
    store.once(event.id, () => (affected = store.removeLinks(serviceUserId)))
    pages.show(affected, UNLINKED)
  }
  if (event.type === 'topup.credited') {
    const { serviceUserId, amount, balance, currency } = event.data
    store.once(event.id, () => (affected = store.listUsersOf(serviceUserId)))
    const money = new Intl.NumberFormat('en-US', { style: 'currency', currency })
    const text = `${money.format(amount)} arrived in your wallet. You now have ${money.format(balance)}.`
    pages.show(affected, { isLinked: true, text })
  }
}
