import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { deletePasskey, PEOPLE } from '../identity/passkeys/queries.ts'
import { issueWarningLink } from '../identity/warning-link.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import type { LoggedIn } from './log-in-queries.ts'

/** No-op if the passkey was already removed. */
export async function removePasskey(
  { db, mailer, config }: Pick<Context, 'db' | 'mailer' | 'config'>,
  { userId, email, language }: Pick<LoggedIn, 'userId' | 'email' | 'language'>,
  id: string,
): Promise<void> {
  const removed = await one(db, deletePasskey(PEOPLE, BigInt(id), userId))
  // Never throttled: a notice that somebody can suppress is none.
  if (removed === undefined || mailer === undefined) return
  const warningLink = await issueWarningLink({ db, config }, { userId, email })
  mailer.send(email, chooseMails(language).passkeyRemoved(removed.name, warningLink))
}
