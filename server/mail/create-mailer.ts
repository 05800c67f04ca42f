import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Mail } from './messages.ts'
import { renderHtml } from './render-html.ts'

/** The defaults are minutes, and a stopping service waits for mails in progress. */
const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 }

export interface Mailer {
  /** Returns immediately: the response time must not reveal whether a mail was sent. */
  send(to: string, mail: Mail): void
  /** Returns whether the mail server has accepted it. */
  deliver(to: string, mail: Mail): Promise<boolean>
  close(): Promise<void>
}

export async function createMailer(
  mail: Config['mail'],
  log: Logger,
  onResult: (result: 'sent' | 'failed') => void = () => undefined,
): Promise<Mailer | undefined> {
  if (mail === undefined) return undefined
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(toOptions(mail.smtpUrl), { from: mail.from })
  const pending = new Set<Promise<unknown>>()

  function deliver(to: string, message: Mail): Promise<boolean> {
    const { lang = 'en', subject, text } = message
    const headers = { 'Content-Language': lang }
    const content = { subject, text, html: renderHtml(message), headers }
    const sent = transport
      // An object and not a string, which the library would parse: a string can name several recipients.
      .sendMail({ to: { name: '', address: to }, ...content })
      .then(
        () => {
          onResult('sent')
          return true
        },
        () => {
          onResult('failed')
          log.error('could not send an email; check the mail server with coffer doctor')
          return false
        },
      )
      .finally(() => pending.delete(sent))
    pending.add(sent)
    return sent
  }

  return {
    send: (to, message) => void deliver(to, message),
    deliver,
    async close() {
      await Promise.all(pending)
      transport.close()
    },
  }
}

/**
 * A server that does not offer STARTTLS gets no mail, because anybody on the way could read the codes. A server on this
 * machine may do without. `?requireTLS=false` in the URL overrides this.
 */
export function toOptions(smtpUrl: string) {
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(smtpUrl).hostname)
  return { url: smtpUrl, ...TIMEOUTS, requireTLS: !isLocal }
}

/**
 * Why an email to this address cannot be sent: the mail server does not respond, or refuses the credentials or the
 * address. undefined: it can be sent.
 */
export async function findMailFault(
  { smtpUrl, from }: NonNullable<Config['mail']>,
  to?: string,
): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(toOptions(smtpUrl), { from })
  try {
    await transport.verify()
    const text = 'coffer doctor sent this email. You can delete it.'
    if (to !== undefined) await transport.sendMail({ to, subject: 'Coffer can send email', text })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}
