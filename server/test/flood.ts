/** A client app that sends more than its share, as a separate process: node flood.ts URL,URL BODY-JSON PER-SECOND */
import { post } from './client.ts'

const [, , urls = '', body = '{}', perSecond = '1000'] = process.argv
const targets = urls.split(',')
const template = JSON.parse(body) as Record<string, unknown>
const EVERY_MS = 10
const counts: Record<number, number> = {}
let sent = 0
let open = 0

setInterval(() => {
  // Open loop: does not wait for responses, up to a limit that protects the generator itself.
  for (let index = 0; index < (Number(perSecond) * EVERY_MS) / 1000 && open < 5_000; index++) {
    const url = targets[sent % targets.length] ?? ''
    open++
    post(url, '/api/server/wallet/debit', { ...template, referenceId: `flood-${sent++}` })
      .then(({ status }) => (counts[status] = (counts[status] ?? 0) + 1))
      .catch(() => undefined)
      .finally(() => open--)
  }
}, EVERY_MS)

process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify({ sent, counts }))
  process.exit(0)
})
