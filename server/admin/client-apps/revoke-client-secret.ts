import { revokeSecretNow } from '../../client-app/rotate-secret.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { listSecretIds, requireApp } from './require-app.ts'

export async function revokeClientSecret(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  { record }: Pick<AdminCall, 'record'>,
  { clientId, secretId }: { clientId: string; secretId: string },
): Promise<void> {
  const known = await requireApp(db, clientId)
  await revokeSecretNow(db, clientId, BigInt(secretId), async (tx) => {
    const app = await requireApp(tx, clientId)
    const live = await listSecretIds(tx, app.id)
    if (!live.includes(secretId)) throw new ServiceError('NOT_FOUND')
    const change = {
      before: { liveSecrets: live },
      after: { liveSecrets: live.filter((id) => id !== secretId) },
    }
    await record(tx, { action: 'client_app.revoke', subject: clientId, ...change })
  })
  notifyContacts({ mailer }, known, known.contactEmails, ['A client secret was revoked.'])
}
