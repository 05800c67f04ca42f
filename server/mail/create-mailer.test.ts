import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { createLog } from '../http/create-log.ts'
import { startMailServer } from '../test/mail-server.ts'
import { createMailer } from './create-mailer.ts'
import { mailsDe } from './messages-de.ts'
import { mailsEn } from './messages-en.ts'
import { mailsEs } from './messages-es.ts'
import { renderHtml } from './render-html.ts'

const FROM = 'Coffer <wallet@service.example>'

describe('mailer', () => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => lines.push(line) })

  it('sends every message as plain text and as HTML', async () => {
    const server = await startMailServer()
    const mailer = await createMailer({ smtpUrl: server.env.SMTP_URL, from: FROM }, log)
    const mails = [
      mailsEn.verificationCode('012345'),
      mailsDe.resetLink('https://wallet.example/account#reset?ticket=x'),
      mailsEs.alreadyRegistered(),
    ]
    for (const [index, mail] of mails.entries()) {
      mailer?.send(`ada-${index}@example.com`, mail)
      const received = await server.read(`ada-${index}@example.com`)
      assert.equal(received.subject, mail.subject)
      assert.equal(received.text?.trim(), mail.text.trim())
      assert.equal(received.html, renderHtml(mail))
      assert.equal(received.headers.get('content-language'), mail.lang)
      assert.equal(received.from?.value[0]?.address, 'wallet@service.example')
    }
    await mailer?.close()
    await server.stop()
  })

  it('sends nothing to a mailbox that is only part of the address', async () => {
    const server = await startMailServer()
    const mailer = await createMailer({ smtpUrl: server.env.SMTP_URL, from: FROM }, log)
    const victim = 'victim@example.com'
    const hostile = [`n1<${victim}>`, `${victim},a.b`, `a@example.com, ${victim}`, `all:${victim};`]
    for (const to of hostile) mailer?.send(to, mailsEn.verificationCode('123456'))
    await mailer?.close()
    assert.equal(server.count(victim), 0)
    await server.stop()
  })

  it('is undefined if no mail server is configured', async () => {
    assert.equal(await createMailer(undefined, log), undefined)
  })

  it('sends pending emails before it closes', async () => {
    const server = await startMailServer()
    const mailer = await createMailer({ smtpUrl: server.env.SMTP_URL, from: FROM }, log)
    for (let index = 0; index < 5; index++)
      mailer?.send('ada@example.com', mailsEn.verificationCode('000000'))
    await mailer?.close()
    assert.equal(server.count('ada@example.com'), 5)
    await server.stop()
  })

  it('does not log the response of a mail server that rejects an email', async () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: ({ address }, _session, done) => done(new Error(`${address} is unknown`)),
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const mailer = await createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM }, log)
    lines.splice(0)
    mailer?.send('ada@example.com', mailsEn.verificationCode('123456'))
    await mailer?.close()
    assert.equal(lines.length, 1)
    const { level, msg, ...others } = JSON.parse(lines.join('')) as Record<string, unknown>
    assert.deepEqual(
      [level, msg],
      ['error', 'could not send an email; check the mail server with coffer doctor'],
    )
    assert.deepEqual(Object.keys(others), ['time', 'pid'])
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it('returns immediately and soon gives up on a mail server that does not respond', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const mailer = await createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM }, log)
    const startedMs = performance.now()
    mailer?.send('ada@example.com', mailsEn.verificationCode('123456'))
    assert(performance.now() - startedMs < 500)
    await mailer?.close()
    assert(performance.now() - startedMs < 15_000)
    assert.match(lines.at(-1) ?? '', /could not send an email/)
    assert.doesNotMatch(lines.join(''), /ada@|123456/)
    silent.close()
  })
})
