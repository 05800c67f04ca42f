/** Whether a client app may call the service: its active state and its live secrets. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { activateClientApp as activateEndpoint } from '@coffer/contract/admin/client-apps'
import type pg from 'pg'
import type { z } from 'zod'
import { activateClientApp } from '../../client-app/activate-client-app.ts'
import { revokeSecretNow, rotateSecret, type Overlap } from '../../client-app/rotate-secret.ts'
import type { Context } from '../../context.ts'
import { many, one, run, type Database } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { refuseTakenParents } from './check-settings.ts'
import { listSecrets, LOCK_PARENTS, lockApp, type LockedApp } from './queries.ts'

type Recording = Pick<AdminCall, 'record'>

export async function activate(
  { db }: Pick<Context, 'db'>,
  { record }: Recording,
  { clientId, isActive, sharesParents }: z.output<typeof activateEndpoint.input>,
): Promise<void> {
  await activateClientApp(db, clientId, isActive, async (tx) => {
    await run(tx, LOCK_PARENTS)
    const app = await requireApp(tx, clientId)
    // Another app may have taken an origin while this one was inactive.
    const isActivated = isActive && !app.isActive
    if (isActivated && !sharesParents) {
      await refuseTakenParents(tx, app.allowedIframeParents, clientId)
    }
    const change = { before: { isActive: app.isActive }, after: { isActive } }
    await record(tx, { action: 'client_app.activate', subject: clientId, ...change })
  })
}

/** Longer than any process caches a client app. */
const KNOWN_EVERYWHERE_MS = 1_000

/** Returns the new secret once every process accepts it, so that it can be used immediately. */
export async function rotate(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { record }: Recording,
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

export async function revoke(
  { db }: Pick<Context, 'db'>,
  { record }: Recording,
  { clientId, secretId }: { clientId: string; secretId: string },
): Promise<void> {
  await requireApp(db, clientId)
  await revokeSecretNow(db, clientId, BigInt(secretId), async (tx) => {
    const app = await requireApp(tx, clientId)
    const live = await listSecretIds(tx, app.id)
    if (!live.includes(secretId)) throw new ServiceError('NOT_FOUND')
    const change = {
      before: { liveSecrets: live },
      after: { liveSecrets: live.filter((id) => id !== secretId) },
    }
    await record(tx, { action: 'client_app.revoke', subject: clientId, ...change })
  })
}

async function requireApp(db: Database, clientId: string): Promise<LockedApp> {
  const app = await one(db, lockApp(clientId))
  if (app === undefined) throw new ServiceError('NOT_FOUND')
  return app
}

async function listSecretIds(tx: pg.ClientBase, clientAppId: bigint): Promise<string[]> {
  const secrets = await many(tx, listSecrets(clientAppId))
  return secrets.map(({ id }) => String(id))
}
