/**
 * Creates, changes and deletes webhooks. The secret that created or last changed a webhook is stored with it, because
 * revoking that secret disables the webhook.
 */
import { randomUUID } from 'node:crypto'
import { WEBHOOKS_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import { OVERLAPS, type Overlap } from '../../client-app/rotate-secret.ts'
import type { Config } from '../../config.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, one, run, type Database } from '../../database/statement.ts'
import { InvalidRequest, ServiceError } from '../../service-error.ts'
import { checkTarget, resolveName, TargetRefused, type Resolve } from './check-target.ts'
import * as queries from './queries.ts'
import { sealSecret } from './seal-secret.ts'
import { readUuid, showWebhookId } from './show-webhook.ts'
import { generateSecret, showSecret } from './sign-request.ts'

export interface Tools {
  db: pg.Pool
  config: Pick<Config, 'peppers' | 'allowsLoopbackWebhooks'>
  resolve?: Resolve
}

/** Who acts, for which client app. */
export interface Actor {
  clientAppId: bigint
  /** The secret that the client app used; null: an operator acts. */
  secretId: bigint | null
}

/** Which webhook. It must belong to the client app. */
export interface Which extends Actor {
  webhookId: string
}

/** What changed, for the audit log and the contacts of the app. Never contains a secret. */
export interface WebhookChange {
  action: 'create' | 'change' | 'delete' | 'rotate'
  before: Shown | null
  after: Shown | null
}

interface Shown {
  webhookId: string
  url: string
  types: string[] | null
  description: string
  isEnabled: boolean
}

/** Called in the transaction of the change. */
export type Note = (tx: pg.ClientBase, change: WebhookChange) => Promise<void>

export async function createWebhook(
  tools: Tools,
  { clientAppId, secretId }: Actor,
  given: queries.WebhookSettings,
  note: Note,
): Promise<{ webhookId: string; secret: string }> {
  const settings = { ...given, url: await requireTarget(tools, given.url) }
  const id = randomUUID()
  const webhookId = showWebhookId(id)
  const secret = generateSecret()
  const sealed = sealSecret(tools.config.peppers, id, secret)
  await inTransaction(tools.db, async (tx) => {
    await run(tx, queries.lockApp(clientAppId))
    await requireSecret(tx, secretId)
    const others = await many(tx, queries.listWebhooks(clientAppId))
    if (others.length >= WEBHOOKS_MAX) throw new ServiceError('WEBHOOK_LIMIT')
    await run(tx, queries.insertWebhook({ id, clientAppId, secretId }, settings, sealed))
    const after = { webhookId, ...settings, isEnabled: true }
    await note(tx, { action: 'create', before: null, after })
  })
  return { webhookId, secret: showSecret(secret) }
}

export async function changeWebhook(
  tools: Tools,
  which: Which,
  { isEnabled, ...given }: queries.WebhookSettings & { isEnabled: boolean },
  note: Note,
): Promise<void> {
  const settings = { ...given, url: await requireTarget(tools, given.url) }
  await inTransaction(tools.db, async (tx) => {
    const known = await lock(tx, which)
    await run(tx, queries.updateWebhook(known.id, which.secretId, settings, isEnabled))
    const after = { webhookId: which.webhookId, ...settings, isEnabled }
    await note(tx, { action: 'change', before: show(known), after })
  })
}

export async function deleteWebhook(
  { db }: Pick<Tools, 'db'>,
  which: Which,
  note: Note,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await lock(tx, which, { evenDeleted: true })
    if (known.isDeleted) return
    await run(tx, queries.deleteWebhook(known.id))
    await note(tx, { action: 'delete', before: show(known), after: null })
  })
}

export async function rotateSecret(
  { db, config }: Tools,
  which: Which,
  overlap: Overlap,
  note: Note,
): Promise<{ secret: string }> {
  const secret = generateSecret()
  await inTransaction(db, async (tx) => {
    const known = await lock(tx, which)
    const sealed = sealSecret(config.peppers, known.id, secret)
    await run(tx, queries.replaceSecret(known.id, which.secretId, sealed, OVERLAPS[overlap]))
    await note(tx, { action: 'rotate', before: show(known), after: show(known) })
  })
  return { secret: showSecret(secret) }
}

/** Throws NOT_FOUND for the webhook of another app. */
export async function requireWebhook(
  db: Database,
  clientAppId: bigint,
  webhookId: string,
): Promise<queries.StoredWebhook> {
  const found = await one(db, queries.findWebhook(clientAppId, readUuid(webhookId)))
  if (found === undefined) throw new ServiceError('NOT_FOUND')
  return found
}

async function lock(
  tx: pg.ClientBase,
  { clientAppId, secretId, webhookId }: Which,
  options: { evenDeleted?: true } = {},
) {
  await requireSecret(tx, secretId)
  const known = await one(tx, queries.lockWebhook(clientAppId, readUuid(webhookId)))
  if (known === undefined || (known.isDeleted && !options.evenDeleted)) {
    throw new ServiceError('NOT_FOUND')
  }
  return known
}

/** A process can accept a secret for a moment after it was revoked, but it must not create or change a webhook then. */
async function requireSecret(tx: pg.ClientBase, secretId: bigint | null): Promise<void> {
  if (secretId === null) return
  const isLive = await one(tx, queries.lockSecret(secretId))
  if (!isLive) throw new ServiceError('INVALID_CLIENT')
}

/** For the contacts of the app. */
export function describeChange({ action, before, after }: WebhookChange): string {
  const url = after?.url ?? before?.url
  switch (action) {
    case 'create':
      return `A webhook was created. Events are sent to ${url}`
    case 'delete':
      return `A webhook was deleted: ${url}`
    case 'rotate':
      return `The secret of a webhook was rotated: ${url}`
    case 'change': {
      const state = after?.isEnabled ? 'Events are sent to' : 'It is disabled. Its URL is'
      return `A webhook was changed (URL before: ${before?.url}). ${state} ${url}`
    }
  }
}

function show({ id, url, types, description, disabledAt }: queries.StoredWebhook): Shown {
  return { webhookId: showWebhookId(id), url, types, description, isEnabled: disabledAt === null }
}

/** Resolves the name outside of a transaction. Every request checks the addresses again. */
async function requireTarget(
  { config, resolve = resolveName }: Tools,
  url: string,
): Promise<string> {
  try {
    return await checkTarget(url, { allowsLoopback: config.allowsLoopbackWebhooks, resolve })
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error
    throw new InvalidRequest(`The field url ${error.message}.`, 'url')
  }
}
