import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { mailsEn } from '../../mail/messages-en.ts'
import { startHarness } from '../harness.ts'

describe('a stopping service', () => {
  it('waits for the emails that it is sending', async () => {
    let received = 0
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, _session, done) {
        stream.resume()
        stream.once('end', () => {
          setTimeout(() => {
            received++
            done()
          }, 1_500)
        })
      },
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const harness = await startHarness({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'wallet@service.example',
    })
    harness.context.mailer?.send('ada@example.com', mailsEn.verificationCode('123456'))
    await harness.end()
    assert.equal(received, 1)
    server.close()
  })
})
