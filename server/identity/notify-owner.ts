import type { Context } from '../context.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import type { Mail } from '../mail/messages.ts'
import type { PersonMails } from '../mail/messages-en.ts'
import { ServiceError } from '../service-error.ts'
import { throttle } from './throttle-attempts.ts'
import { issueWarningLink } from './warning-link.ts'
import type { Addressee } from './warning-link-queries.ts'

/**
 * Reports by email what happened in an account, in case its owner did not do it, with a link that undoes it. Somebody
 * who repeats it cannot flood the mailbox: the first few emails are sent, then fewer and fewer.
 */
export async function notifyOwner(
  { db, mailer, config }: Pick<Context, 'db' | 'mailer' | 'config'>,
  owner: Addressee,
  write: (mails: PersonMails, warningLink: string | undefined) => Mail,
): Promise<void> {
  if (mailer === undefined) return
  try {
    await throttle({ db, config }, 'notice', owner.email)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMITED') return
    throw error
  }
  const warningLink = await issueWarningLink({ db, config }, owner)
  mailer.send(owner.email, write(chooseMails(owner.language), warningLink))
}
