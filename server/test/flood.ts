/** A client app that sends far more than its share, as a process of its own: node flood.ts URL,URL BODY-JSON PER-SECOND */
import { post } from './client.ts'

const [, , urls = '', body = '{}', perSecond = '1000'] = process.argv
const targets = urls.split(',')
const template = JSON.parse(body) as Record<string, unknown>
const EVERY_MS = 10
const counts: Record<number, number> = {}
let sent = 0
let open = 0

setInterval(() => {
  // Open loop: it does not wait for answers, up to a bound that keeps the generator itself alive.
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
