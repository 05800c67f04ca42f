/** Who may call as a client app: whether it is active, and which secrets are alive. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { activateClientApp as activateEndpoint } from '@coffer/contract/admin/client-apps'
import type pg from 'pg'
import type { z } from 'zod'
import { activateClientApp } from '../../client-app/activate-client-app.ts'
import { revokeSecretNow, rotateSecret, type Overlap } from '../../client-app/rotate-secret.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import {
  listSecrets,
  LOCK_PARENTS,
  lockApp,
  type AppSettingsRow,
  type SecretRow,
} from './queries.ts'
import { refuseTakenParents } from './check-settings.ts'

type Recording = Pick<AdminCall, 'record'>

export async function activate(
  { db }: Pick<Context, 'db'>,
  { record }: Recording,
  { clientId, isActive, sharesParents }: z.output<typeof activateEndpoint.input>,
): Promise<void> {
  await activateClientApp(db, clientId, isActive, async (tx) => {
    await tx.query(LOCK_PARENTS)
    const app = await requireApp(tx, clientId)
    // Another app may have taken an origin while this one was away.
    const isBack = isActive && !app.is_active
    if (isBack && !sharesParents) {
      await refuseTakenParents(tx, app.allowed_iframe_parents, clientId)
    }
    const change = { before: { isActive: app.is_active }, after: { isActive } }
    await record(tx, { action: 'client_app.activate', subject: clientId, ...change })
  })
}

/** Longer than any process trusts what it remembers of a client app. */
const KNOWN_EVERYWHERE_MS = 1_000

/** Returns the new secret when every process accepts it: it may be used the moment that it is shown. */
export async function rotate(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { record }: Recording,
  { clientId, overlap }: { clientId: string; overlap: Overlap },
): Promise<string> {
  await requireApp(db, clientId)
  const tools = { db, peppers: config.peppers }
  const secret = await rotateSecret(tools, clientId, overlap, async (tx) => {
    const app = await requireApp(tx, clientId)
    const before = { liveSecrets: await idsOfSecrets(tx, app.id) }
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
    const live = await idsOfSecrets(tx, app.id)
    if (!live.includes(secretId)) throw new ServiceError('NOT_FOUND')
    const change = {
      before: { liveSecrets: live },
      after: { liveSecrets: live.filter((id) => id !== secretId) },
    }
    await record(tx, { action: 'client_app.revoke', subject: clientId, ...change })
  })
}

async function requireApp(db: pg.Pool | pg.ClientBase, clientId: string): Promise<AppSettingsRow> {
  const { rows } = await db.query<AppSettingsRow>(lockApp(clientId))
  if (rows[0] === undefined) throw new ServiceError('NOT_FOUND')
  return rows[0]
}

async function idsOfSecrets(tx: pg.ClientBase, clientAppId: bigint): Promise<string[]> {
  const { rows } = await tx.query<SecretRow>(listSecrets(clientAppId))
  return rows.map(({ id }) => String(id))
}
