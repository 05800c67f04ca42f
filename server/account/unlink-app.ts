import { unlink } from '../identity/link.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import type { LoggedIn } from './log-in-queries.ts'

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
