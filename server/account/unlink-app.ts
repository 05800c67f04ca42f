import { unlink } from '../identity/link.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import type { LoggedIn } from './require-log-in.ts'

const CLIENT_ID = /^app_[0-9a-f]{24}$/

/** An app that is not linked, or none at all, is as unlinked as can be. */
export async function unlinkApp(
  { db, clientApps }: Context,
  { userId }: LoggedIn,
  clientId: string,
): Promise<void> {
  if (!CLIENT_ID.test(clientId)) throw new ServiceError('INVALID_REQUEST', 'clientId')
  const clientApp = await clientApps.find(clientId)
  if (clientApp) await unlink(db, clientApp.id, userId)
}
