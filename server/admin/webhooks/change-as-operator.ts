import type pg from 'pg'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run, type Database } from '../../database/statement.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { ServiceError } from '../../service-error.ts'
import {
  describeChange,
  type WebhookChange,
  type Note,
} from '../../events/webhooks/manage-webhooks.ts'
import type { AdminCall } from '../access.ts'
import { useWebhookUrl } from '../app-change-queries.ts'
import { proposeAppChange } from '../propose-app-change.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'
import { findByClientId, type FoundApp } from './queries.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/** The result of a change, or the emails of the operators who can approve the URL that it needs. */
export type Outcome<Result> =
  { result: Result; approvers?: undefined } | { result?: undefined; approvers: string[] }

export async function findApp(db: Database, clientId: string): Promise<FoundApp> {
  const found = await one(db, findByClientId(clientId))
  if (found === undefined) throw new ServiceError('NOT_FOUND')
  return found
}

/**
 * Audits the change in its transaction, and notifies the contacts of the app once it is committed. Whoever receives the
 * events of an app in use learns about its users, so a second operator approves a new URL first.
 */
export async function changeAsOperator<Result>(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  call: Caller,
  clientId: string,
  change: (clientAppId: bigint, note: Note) => Promise<Result>,
): Promise<Outcome<Result>> {
  const app = await findApp(db, clientId)
  const changes: WebhookChange[] = []
  try {
    const result = await change(app.id, async (tx, made) => {
      changes.push(made)
      const { action, before, after } = made
      const grant = await requireApproval(tx, call, app, made)
      const audited = { before, after: grant === undefined ? after : { ...after, grant } }
      await call.record(tx, { action: `webhook.${action}`, subject: clientId, ...audited })
    })
    notifyContacts({ mailer }, app, app.contactEmails, changes.map(describeChange))
    return { result }
  } catch (error) {
    if (!(error instanceof NeedsApproval)) throw error
    return { approvers: await propose(db, call, app, error.url) }
  }
}

/** Undoes the transaction of a change. */
class NeedsApproval extends Error {
  url: string
  constructor(url: string) {
    super('A second operator must approve the URL.')
    this.url = url
  }
}

/** Returns the grant that allows the URL; undefined: the change needs none. */
async function requireApproval(
  tx: pg.ClientBase,
  { operator }: Pick<Caller, 'operator'>,
  { id, isInUse }: FoundApp,
  { before, after }: WebhookChange,
): Promise<string | undefined> {
  if (!isInUse || after === null || after.url === before?.url) return undefined
  const grant = await one(tx, useWebhookUrl(id, operator.operatorId, after.url))
  if (grant === undefined) throw new NeedsApproval(after.url)
  return grant
}

function propose(db: pg.Pool, call: Caller, app: FoundApp, webhookUrl: string): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await run(tx, LOCK_GRANTS)
    return proposeAppChange(tx, call, app, { webhookUrl })
  })
}
