/**
 * The emergency rotation: the old secrets end at once, and the contacts of the app get a one-time link to the new one.
 * No operator sees the new secret, so no second operator needs to approve it. The secret is created when the link is used:
 * until then there is nothing that could be stolen from the database.
 */
import { randomBytes } from 'node:crypto'
import { SECRET_LINK_HOURS } from '@coffer/contract/limits'
import { endSecrets, addSecretEvent } from '../../client-app/secret-queries.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { run } from '../../database/statement.ts'
import { hashTicket } from '../../identity/ticket.ts'
import { insertTicket } from '../../identity/ticket-queries.ts'
import { secretLink } from '../../mail/messages.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { listSecretIds, requireApp } from './require-app.ts'

export async function replaceClientSecret(
  { db, config, mailer }: Pick<Context, 'db' | 'config' | 'mailer'>,
  { record }: Pick<AdminCall, 'record'>,
  { clientId }: { clientId: string },
): Promise<{ contacts: string[] }> {
  const token = randomBytes(24).toString('base64url')
  const { accountOrigin } = config
  const app = await inTransaction(db, async (tx) => {
    const found = await requireApp(tx, clientId)
    const canSend = mailer !== undefined && accountOrigin !== undefined
    if (!canSend || found.contactEmails.length === 0) throw new ServiceError('CONTACT_REQUIRED')
    const before = { liveSecrets: await listSecretIds(tx, found.id) }
    const after = { liveSecrets: [], contacts: found.contactEmails }
    await record(tx, { action: 'client_app.replace_secret', subject: clientId, before, after })
    await run(tx, endSecrets(found.id))
    await run(tx, addSecretEvent(found.id, 'revoked'))
    const ticket = { purpose: 'client_secret', clientAppId: found.id } as const
    await run(tx, insertTicket(hashTicket(token), ticket, null, SECRET_LINK_HOURS * 60))
    return found
  })
  // In the fragment, which browsers do not send: the token reaches no log and no other site.
  const link = `${accountOrigin}/account/client-secret#${token}`
  for (const email of app.contactEmails) mailer?.send(email, secretLink(app, link))
  return { contacts: [...app.contactEmails] }
}
