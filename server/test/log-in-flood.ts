/** Guesses passwords at the widget login, as a separate process: node log-in-flood.ts URL CLIENT-ID EMAIL PER-SECOND */
import { post } from './client.ts'

const [, , url = '', clientId = '', email = '', perSecond = '100'] = process.argv
const EVERY_MS = 20
/** After being stopped or starved, the process catches up on at most this time. */
const CATCH_UP_MS = 200
const counts: Record<string, number> = {}
let sent = 0
let open = 0
let due = 0
let lastMs = performance.now()

/** Half of the guesses come from one address, the others from different ones; every fourth targets one account. */
function guess(n: number) {
  const address =
    n % 2 === 0 ? '198.51.100.1' : `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address }
  const target = n % 4 === 1 ? email : `guess-${n}@example.com`
  const body = { clientId, email: target, password: `guess number ${n}` }
  return post(url, '/api/widget/auth/log-in', body, headers)
}

setInterval(() => {
  const nowMs = performance.now()
  due += (Math.min(nowMs - lastMs, CATCH_UP_MS) / 1000) * Number(perSecond)
  lastMs = nowMs
  // Open loop: does not wait for responses, up to a limit that protects the generator itself.
  for (; due >= 1 && open < 2_000; due--) {
    open++
    void guess(sent++)
      .then(({ status }) => String(status))
      .catch(() => 'no response')
      .then((name) => (counts[name] = (counts[name] ?? 0) + 1))
      .finally(() => open--)
  }
}, EVERY_MS)

process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify({ sent, counts }))
  process.exit(0)
})
