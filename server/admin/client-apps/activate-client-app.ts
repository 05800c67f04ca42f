import type { activateClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import type { z } from 'zod'
import { activateClientApp as activate } from '../../client-app/activate-client-app.ts'
import type { Context } from '../../context.ts'
import { run } from '../../database/statement.ts'
import type { AdminCall } from '../access.ts'
import { refuseTakenParents } from './check-settings.ts'
import { LOCK_PARENTS, type LockedApp } from '../app-change-queries.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { requireApp } from './require-app.ts'

/** Activates or deactivates a client app. */
export async function activateClientApp(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  { record }: Pick<AdminCall, 'record'>,
  { clientId, isActive, sharesParents }: z.output<typeof endpoint.input>,
): Promise<void> {
  let known: LockedApp | undefined
  await activate(db, clientId, isActive, async (tx) => {
    await run(tx, LOCK_PARENTS)
    const app = await requireApp(tx, clientId)
    known = app
    // Another app may have taken an origin while this one was inactive.
    const isActivated = isActive && !app.isActive
    if (isActivated && !sharesParents) {
      await refuseTakenParents(tx, app.allowedIframeParents, clientId)
    }
    const change = { before: { isActive: app.isActive }, after: { isActive } }
    await record(tx, { action: 'client_app.activate', subject: clientId, ...change })
  })
  if (known === undefined || known.isActive === isActive) return
  const news = [isActive ? 'The app was activated.' : 'The app was deactivated.']
  notifyContacts({ mailer }, known, known.contactEmails, news)
}
