import { setTimeout as sleep } from 'node:timers/promises'
import { rotateSecret, type Overlap } from '../../client-app/rotate-secret.ts'
import type { Context } from '../../context.ts'
import type { AdminCall } from '../access.ts'
import { listSecretIds, requireApp } from './require-app.ts'

/** Longer than any process caches a client app. */
const KNOWN_EVERYWHERE_MS = 1_000

/** Returns the new secret once every process accepts it, so that it can be used immediately. */
export async function rotateClientSecret(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { record }: Pick<AdminCall, 'record'>,
  { clientId, overlap }: { clientId: string; overlap: Overlap },
): Promise<string> {
  await requireApp(db, clientId)
  const tools = { db, peppers: config.peppers }
  const secret = await rotateSecret(tools, clientId, overlap, async (tx) => {
    const app = await requireApp(tx, clientId)
    const before = { liveSecrets: await listSecretIds(tx, app.id) }
    await record(tx, { action: 'client_app.rotate', subject: clientId, before, after: { overlap } })
  })
  await sleep(KNOWN_EVERYWHERE_MS)
  return secret
}
