import type { activateClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import type { z } from 'zod'
import { activateClientApp as activate } from '../../client-app/activate-client-app.ts'
import type { Context } from '../../context.ts'
import { run } from '../../database/statement.ts'
import type { AdminCall } from '../access.ts'
import { refuseTakenParents } from './check-settings.ts'
import { LOCK_PARENTS } from './queries.ts'
import { requireApp } from './require-app.ts'

/** Activates or deactivates a client app. */
export async function activateClientApp(
  { db }: Pick<Context, 'db'>,
  { record }: Pick<AdminCall, 'record'>,
  { clientId, isActive, sharesParents }: z.output<typeof endpoint.input>,
): Promise<void> {
  await activate(db, clientId, isActive, async (tx) => {
    await run(tx, LOCK_PARENTS)
    const app = await requireApp(tx, clientId)
    // Another app may have taken an origin while this one was inactive.
    const isActivated = isActive && !app.isActive
    if (isActivated && !sharesParents) {
      await refuseTakenParents(tx, app.allowedIframeParents, clientId)
    }
    const change = { before: { isActive: app.isActive }, after: { isActive } }
    await record(tx, { action: 'client_app.activate', subject: clientId, ...change })
  })
}
