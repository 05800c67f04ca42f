/** A mail server on port 25 that prints each email that it receives as a line of JSON: { to, text }. */
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, session, done) {
    simpleParser(stream, (error, mail) => {
      if (!error) {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        process.stdout.write(`${JSON.stringify({ to, text: mail.text })}\n`)
      }
      done(error)
    })
  },
})
server.listen(25, '127.0.0.1')
process.stdin.resume().on('end', () => process.exit())
