import { ORIGINS_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import { findParentOwners } from '../../client-app/queries.ts'
import { many, one, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { addChange, describeChanges } from '../app-change.ts'
import { lockAppById, LOCK_PARENTS, setAppSettings, type LockedApp } from '../app-change-queries.ts'
import type { ContactNotice } from '../../mail/notify-contacts.ts'
import { describeAppChange } from './describe-grant.ts'
import { setChangeApproved, type AppChangeGrant } from './queries.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

/**
 * The decision, its audit entry and the new settings are one transaction, which holds LOCK_GRANTS. An approved rotation
 * changes nothing yet: the proposer rotates within a day and sees the secret.
 */
export async function approveAppChange(
  tx: pg.ClientBase,
  { news }: { news: ContactNotice[] },
  { operator, record }: Caller,
  grant: AppChangeGrant,
  proposedBy: string,
): Promise<AppChangeGrant> {
  const { change } = grant
  await run(tx, LOCK_PARENTS)
  const app = await one(tx, lockAppById(grant.clientAppId))
  if (app === undefined) throw new Error('a grant refers to a client app that does not exist')
  const settings = addChange(app, change)
  const lists = [settings.allowedOrigins, settings.allowedIframeParents]
  const isTaken = app.isActive && !change.sharesParents && (await hasTakenParent(tx, app, grant))
  if (isTaken || lists.some(({ length }) => length > ORIGINS_MAX)) {
    throw new ServiceError('GRANT_LAPSED')
  }
  const approved = await one(tx, setChangeApproved(grant.id, operator.operatorId))
  if (approved === undefined) throw new Error('a locked grant was decided by another transaction')
  await record(tx, {
    action: 'grant.approve',
    subject: app.clientId,
    before: { status: 'open' },
    after: {
      ...describeAppChange(grant),
      proposedBy,
      status: 'approved',
      approvedBy: operator.email,
    },
  })
  await run(tx, setAppSettings(app.clientId, settings))
  const contacts = [...app.contactEmails, ...settings.contactEmails]
  news.push({ app, contacts, changes: describeChanges(app, settings) })
  return approved
}

/** Another app may have taken an origin while the change waited. */
async function hasTakenParent(tx: pg.ClientBase, app: LockedApp, { change }: AppChangeGrant) {
  const owners = await many(tx, findParentOwners(change.allowedIframeParents ?? []))
  return owners.some(({ clientId }) => clientId !== app.clientId)
}
