import { randomUUID } from 'node:crypto'
import type { testResult } from '@coffer/contract/server/webhook-shapes'
import type { z } from 'zod'
import type { Config } from '../../config.ts'
import { showEventId } from '../feed/show-event.ts'
import type { StoredWebhook } from './queries.ts'
import { openSecrets } from './seal-secret.ts'
import type { Sender } from './send-request.ts'
import { signRequest } from './sign-request.ts'
import { TIMEOUT_MS } from './deliver.ts'

/** Sends a ping now. It is in no feed and has no number, so a receiver sees no gap. */
export async function testWebhook(
  sender: Sender,
  { peppers }: Pick<Config, 'peppers'>,
  webhook: StoredWebhook,
): Promise<z.input<typeof testResult>> {
  const at = new Date()
  const id = showEventId(randomUUID())
  const body = JSON.stringify({ id, type: 'ping', createdAt: at.toISOString(), data: {} })
  const headers = signRequest({ id, body, at }, openSecrets(peppers, webhook.id, webhook.secrets))
  const attempt = await sender.send({ url: webhook.url, headers, body }, TIMEOUT_MS)
  const { status, error, durationMs, response } = attempt
  return { at: attempt.at.toISOString(), status, error, durationMs, response }
}
