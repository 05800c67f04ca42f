/** The inbox of the demo: a local page with the emails that the service would send. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Context } from '../server/context.ts'

type Mailer = NonNullable<Context['mailer']>

interface Received {
  at: Date
  to: string
  subject: string
  text: string
}

const KEPT_MAX = 100
const CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:2rem auto;padding:0 1.25rem}
article{border-top:1px solid #8888;padding-block:0.5rem}
h1{font-size:1.25rem}h2{font-size:1rem;margin:0.5rem 0 0}
pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}`

export async function startInbox(
  port: number,
): Promise<{ url: string; mailer: Mailer; close: () => Promise<unknown> }> {
  const mails: Received[] = []
  function keep(to: string, { subject, text }: Pick<Received, 'subject' | 'text'>) {
    mails.unshift({ at: new Date(), to, subject, text })
    mails.splice(KEPT_MAX)
  }
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.setHeader('Content-Security-Policy', `default-src 'none'; style-src 'unsafe-inline'`)
    response.end(renderInbox(mails))
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${port}`,
    mailer: {
      send: keep,
      async deliver(to, mail) {
        keep(to, mail)
        return true
      },
      close: () => Promise.resolve(),
    },
    close() {
      server.closeAllConnections()
      return once(server.close(), 'close')
    },
  }
}

/** The page loads itself again, so that a new email appears. */
function renderInbox(mails: readonly Received[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<title>Inbox of the demo</title>
<style>${CSS}</style>
<h1>Inbox of the demo</h1>
<p>Emails of the service, newest first. None of them leaves this machine.</p>
${mails.map(renderMail).join('') || '<p>No emails yet.</p>'}
</html>
`
}

function renderMail({ at, to, subject, text }: Received): string {
  const body = escape(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}">${url}</a>`)
  return `<article>
<h2>${escape(subject)}</h2>
<p>To ${escape(to)}, ${at.toTimeString().slice(0, 8)}</p>
<pre>${body}</pre>
</article>`
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
