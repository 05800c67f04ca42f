import type { Context } from '../context.ts'
import { appChanged } from './messages.ts'

/** What the contacts of an app learn once the transaction is committed. */
export interface ContactNotice {
  app: { name: string; clientId: string }
  contacts: readonly string[]
  changes: readonly string[]
}

/** Call it after the commit. Contacts learn what changed, so that nobody takes over an app unnoticed. */
export function notifyContacts(
  { mailer }: Pick<Context, 'mailer'>,
  app: { name: string; clientId: string },
  contacts: readonly string[],
  changes: readonly string[],
  by?: string,
): void {
  if (changes.length === 0) return
  for (const email of new Set(contacts)) mailer?.send(email, appChanged(app, changes, by))
}
