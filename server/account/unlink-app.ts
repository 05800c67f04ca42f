import { unlink } from '../identity/link.ts'
import type { Context } from '../context.ts'
import { run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { endLinks } from './queries.ts'

const CLIENT_ID = /^app_[0-9a-f]{24}$/

/** No-op if the app is not linked or does not exist. */
export async function unlinkApp(
  { db, clientApps }: Context,
  { userId }: LoggedIn,
  clientId: string,
): Promise<void> {
  if (!CLIENT_ID.test(clientId)) throw new ServiceError('INVALID_REQUEST', 'clientId')
  const clientApp = await clientApps.find(clientId)
  if (clientApp) await unlink(db, clientApp.id, userId)
}

/** For a person who does not know which app somebody else has linked. */
export async function unlinkAllApps(
  { db }: Pick<Context, 'db'>,
  { userId }: Pick<LoggedIn, 'userId'>,
): Promise<void> {
  await run(db, endLinks(userId))
}
