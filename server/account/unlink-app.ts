import { unlink } from '../identity/link.ts'
import { notifyOwner } from '../identity/notify-owner.ts'
import { endLinks } from '../identity/link-queries.ts'
import type { Context } from '../context.ts'
import { run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import type { LoggedIn } from './log-in-queries.ts'

const CLIENT_ID = /^app_[0-9a-f]{24}$/

/** No-op if the app is not linked or does not exist. */
export async function unlinkApp(
  context: Context,
  person: LoggedIn,
  clientId: string,
): Promise<void> {
  if (!CLIENT_ID.test(clientId)) throw new ServiceError('INVALID_REQUEST', 'clientId')
  const clientApp = await context.clientApps.find(clientId)
  if (clientApp === undefined) return
  const ended = await unlink(context.db, clientApp.id, person.userId)
  if (ended > 0) {
    await notifyOwner(context, person, (mails, warning) =>
      mails.appUnlinked(clientApp.name, warning),
    )
  }
}

/** For a person who does not know which app somebody else has linked. */
export async function unlinkAllApps(
  context: Pick<Context, 'db' | 'mailer' | 'config'>,
  person: Pick<LoggedIn, 'userId' | 'email' | 'language'>,
): Promise<void> {
  const ended = await run(context.db, endLinks(person.userId, null, 'user'))
  if (ended > 0) {
    await notifyOwner(context, person, (mails, warning) => mails.allAppsUnlinked(warning))
  }
}
