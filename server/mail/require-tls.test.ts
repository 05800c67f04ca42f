/** The attack: somebody between the service and the mail server removes STARTTLS and reads the codes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog } from '../http/create-log.ts'
import { startMailServer } from '../test/mail-server.ts'
import { createMailer, findMailFault, toOptions } from './create-mailer.ts'
import { mailsEn } from './messages-en.ts'

describe('mail to another machine', () => {
  it('requires TLS, to this machine it does not', () => {
    const urls = ['smtp://mail.example:587', 'smtp://10.0.0.7:25', 'smtp://localhost.example']
    for (const url of urls) assert.equal(toOptions(url).requireTLS, true, url)
    const local = ['smtp://127.0.0.1:2525', 'smtp://localhost:25', 'smtp://[::1]:25']
    for (const url of local) assert.equal(toOptions(url).requireTLS, false, url)
  })

  it('is not sent if the server offers no TLS, and the doctor sees it', async () => {
    const server = await startMailServer()
    const smtpUrl = `${server.env.SMTP_URL}?requireTLS=true`
    const lines: string[] = []
    const log = createLog('debug', { write: (line: string) => lines.push(line) })
    const mail = { smtpUrl, from: 'wallet@service.example' }
    const mailer = await createMailer(mail, log)
    mailer?.send('ada@example.com', mailsEn.verificationCode('678901'))
    await mailer?.close()
    assert.ok(lines.some((line) => line.includes('could not send an email')))
    assert.match((await findMailFault(mail)) ?? '', /STARTTLS/)
    await server.stop()
  })
})
