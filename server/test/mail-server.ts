/** A mail server that stores received emails, so that the tests read codes as people do. */
import { simpleParser, type ParsedMail } from 'mailparser'
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  /** Environment variables with which the service uses it. */
  env: { SMTP_URL: string; MAIL_FROM: string }
  /** Waits for the next unread email to this address. */
  read(to: string): Promise<ParsedMail>
  /** The code in the next unread email to this address that has one. */
  readCode(to: string): Promise<string>
  /** The ticket in the next unread email to this address that has a link to reset the password. */
  readTicket(to: string): Promise<string>
  /** The ticket in the next unread email to this address about a new email address. */
  readUndoTicket(to: string): Promise<string>
  /** The ticket of "This wasn't me" in the next unread email to this address that has one. */
  readWarningTicket(to: string): Promise<string>
  /** Waits for the next unread email to this address with this subject. */
  readSubject(to: string, subject: RegExp): Promise<ParsedMail>
  /** Number of unread emails to this address, or of those with this subject. */
  count(to: string, subject?: RegExp): number
  stop(): Promise<void>
}

const TIMEOUT_MS = 5_000
const LINK = /^https?:\/\/[^\s/]+\/account#reset\?ticket=([\w-]{32})$/m
const UNDO_LINK = /^https?:\/\/[^\s/]+\/account#undo\?ticket=([\w-]{32})$/m
const WARNING_LINK = /^https?:\/\/[^\s/]+\/account#warning\?ticket=([\w-]{32})$/m
const CODE = /^\d{6}$/m

export async function startMailServer(): Promise<MailServer> {
  const received: { to: string; mail: ParsedMail }[] = []
  const arrivals = new EventEmitter()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      simpleParser(stream, (error, mail) => {
        const [recipient] = session.envelope.rcptTo
        if (!error) received.push({ to: (recipient?.address ?? '').toLowerCase(), mail })
        arrivals.emit('mail')
        done(error)
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : 0

  async function read(
    to: string,
    isWanted: (mail: ParsedMail) => boolean = () => true,
  ): Promise<ParsedMail> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    for (;;) {
      const index = received.findIndex(
        (each) => each.to === to.toLowerCase() && isWanted(each.mail),
      )
      const [found] = index < 0 ? [] : received.splice(index, 1)
      if (found) return found.mail
      await once(arrivals, 'mail', { signal })
    }
  }

  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Coffer <wallet@service.example>' },
    read: (to) => read(to),
    readSubject: (to, wanted) => read(to, ({ subject }) => wanted.test(subject ?? '')),
    async readTicket(to) {
      const { subject, text } = await read(to, (mail) => LINK.test(mail.text ?? ''))
      assert.equal(subject, 'Set a new password for your wallet')
      return LINK.exec(text ?? '')?.[1] ?? assert.fail()
    },
    async readUndoTicket(to) {
      const { text } = await read(to, ({ subject }) => /address .* was changed/.test(subject ?? ''))
      return UNDO_LINK.exec(text ?? '')?.[1] ?? assert.fail(text)
    },
    async readWarningTicket(to) {
      const { text } = await read(to, (mail) => WARNING_LINK.test(mail.text ?? ''))
      return WARNING_LINK.exec(text ?? '')?.[1] ?? assert.fail(text)
    },
    async readCode(to) {
      const { subject, text } = await read(to, (mail) => CODE.test(mail.text ?? ''))
      assert.equal(subject, 'Confirm your email address')
      return CODE.exec(text ?? '')?.[0] ?? assert.fail()
    },
    count: (to, wanted = /^/) =>
      received.filter(
        ({ to: each, mail }) => each === to.toLowerCase() && wanted.test(mail.subject ?? ''),
      ).length,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
