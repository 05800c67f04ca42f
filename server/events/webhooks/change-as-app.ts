import type { ClientApp } from '../../client-app/client-app-cache.ts'
import type { Context } from '../../context.ts'
import { one } from '../../database/statement.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { ServiceError } from '../../service-error.ts'
import { describeChange, type Actor, type WebhookChange, type Note } from './manage-webhooks.ts'
import { findContacts } from './notify-queries.ts'

type Tools = Pick<Context, 'db' | 'mailer' | 'throttles'>

/** The contacts of the app learn about each change once it is committed, because the secret can be a stolen one. */
export async function changeAsApp<Result>(
  { db, mailer, throttles }: Tools,
  clientApp: ClientApp,
  change: (actor: Actor, note: Note) => Promise<Result>,
): Promise<Result> {
  limitWebhookChanges({ throttles }, clientApp)
  const { secretId, name } = requireRestrictedSecret(clientApp)
  const changes: WebhookChange[] = []
  const actor = { clientAppId: clientApp.id, secretId }
  const result = await change(actor, (_tx, made) => {
    changes.push(made)
    return Promise.resolve()
  })
  const app = await one(db, findContacts(clientApp.id))
  const by = `A request with the restricted secret "${name}"`
  if (app) notifyContacts({ mailer }, app, app.emails, changes.map(describeChange), by)
  return result
}

/** Each change causes emails, and each test a request to an address that the app chose. */
export function limitWebhookChanges(
  { throttles }: Pick<Context, 'throttles'>,
  { clientId }: Pick<ClientApp, 'clientId'>,
): void {
  if (!throttles.mayManageWebhooks(clientId)) throw new ServiceError('RATE_LIMITED')
}

function requireRestrictedSecret({ restriction }: ClientApp) {
  if (restriction === undefined) throw new Error('Only a restricted secret manages webhooks.')
  return restriction
}
