import { setTimeout as sleep } from 'node:timers/promises'
import { generateSecret, hashSecret } from '../../client-app/secret.ts'
import { endSecrets, insertSecret, addSecretEvent } from '../../client-app/secret-queries.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { hashTicket } from '../../identity/ticket.ts'
import { findTicket, takeTicket } from '../../identity/ticket-queries.ts'
import { ServiceError } from '../../service-error.ts'
import { lockAppById } from '../app-change-queries.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { recordAction } from '../record-action.ts'
import { KNOWN_EVERYWHERE_MS } from './rotate-client-secret.ts'

/** Uses up the link and returns the new secret, which is not stored. It is then the only valid one. */
export async function collectClientSecret(
  { db, config, mailer }: Pick<Context, 'db' | 'config' | 'mailer'>,
  address: string,
  { ticket: token }: { ticket: string },
): Promise<{ clientId: string; clientSecret: string }> {
  const clientSecret = generateSecret()
  const [pepper] = config.peppers
  const app = await inTransaction(db, async (tx) => {
    const known = await one(tx, findTicket(hashTicket(token), 'client_secret'))
    // Locks the app first, like every other change to an app. A change made meanwhile may have invalidated the link.
    const found = known?.clientAppId && (await one(tx, lockAppById(known.clientAppId)))
    const ticket = await one(tx, takeTicket(hashTicket(token), ['client_secret']))
    if (!found || !ticket) throw new ServiceError('SECRET_LINK_INVALID')
    const by = { actor: 'contact', actorId: null, address }
    const { clientId: subject } = found
    await recordAction(tx, by, { action: 'client_app.collect_secret', subject })
    await run(tx, endSecrets(found.id))
    await run(tx, insertSecret(found.id, hashSecret(pepper, clientSecret), pepper.id))
    await run(tx, addSecretEvent(found.id, 'rotated'))
    return found
  })
  const news = ['The new client secret was shown to the person who opened the link in the email.']
  notifyContacts({ mailer }, app, app.contactEmails, news)
  await sleep(KNOWN_EVERYWHERE_MS)
  return { clientId: app.clientId, clientSecret }
}
