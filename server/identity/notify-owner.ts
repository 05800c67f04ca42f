import type { Context } from '../context.ts'
import type { Mail } from '../mail/messages.ts'
import { ServiceError } from '../service-error.ts'
import { throttle } from './throttle-attempts.ts'

/**
 * Reports by email what happened in an account, in case its owner did not do it. Somebody who repeats it cannot flood
 * the mailbox: the first few emails are sent, then fewer and fewer.
 */
export async function notifyOwner(
  { db, mailer, config }: Pick<Context, 'db' | 'mailer' | 'config'>,
  email: string,
  mail: Mail,
): Promise<void> {
  if (mailer === undefined) return
  try {
    await throttle({ db, config }, 'notice', email)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMITED') return
    throw error
  }
  mailer.send(email, mail)
}
