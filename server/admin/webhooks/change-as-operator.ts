import type { Context } from '../../context.ts'
import { one, type Database } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { describeChange, type Change, type Note } from '../../webhooks/manage-webhooks.ts'
import type { AdminCall } from '../access.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { findByClientId, type FoundApp } from './queries.ts'

export async function findApp(db: Database, clientId: string): Promise<FoundApp> {
  const found = await one(db, findByClientId(clientId))
  if (found === undefined) throw new ServiceError('NOT_FOUND')
  return found
}

/** Audits the change in its transaction, and notifies the contacts of the app once it is committed. */
export async function changeAsOperator<Result>(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  { record }: Pick<AdminCall, 'record'>,
  clientId: string,
  change: (clientAppId: bigint, note: Note) => Promise<Result>,
): Promise<Result> {
  const app = await findApp(db, clientId)
  const changes: Change[] = []
  const result = await change(app.id, async (tx, made) => {
    changes.push(made)
    const { action, before, after } = made
    await record(tx, { action: `webhook.${action}`, subject: clientId, before, after })
  })
  notifyContacts({ mailer }, app, app.contactEmails, changes.map(describeChange))
  return result
}
