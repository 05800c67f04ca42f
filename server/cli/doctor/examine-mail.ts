import type { Config } from '../../config.ts'
import { findMailFault } from '../../mail/create-mailer.ts'
import { error, ok, warning, type Finding } from './finding.ts'

/** A session with the mail server; with an address, an email too. */
export async function examineMail({ mail }: Config, to: string | undefined): Promise<Finding> {
  if (mail === undefined) {
    return warning(
      'No mail server: email addresses are not verified.',
      'Set SMTP_URL and MAIL_FROM.',
    )
  }
  const fault = await findMailFault(mail, to)
  if (fault !== undefined) {
    return error(
      `The mail server cannot be reached or refuses the credentials: ${fault}.`,
      'Check SMTP_URL (host, port, user and password) and MAIL_FROM.',
    )
  }
  if (to === undefined) return ok('The mail server accepts the credentials.')
  return ok(`The mail server accepted an email to ${to}.`)
}
