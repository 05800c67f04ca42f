/** Hashing is expensive, so its concurrency is capped: password guessing must not slow down debits. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { closeConnections, percentile, post } from '../test/client.ts'
import { makePerson } from '../test/sign-in.ts'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import { spawnService, startHarness, type Harness, type ServiceProcess } from '../test/harness.ts'

const GUESSES_PER_SECOND = 200
const SENDERS = 16
const WINDOW_MS = 1_500
const ROUNDS = 4
/** Other processes can disturb a comparison; then it is repeated. */
const ATTEMPTS = 5

let harness: Harness
let service: ServiceProcess

before(async () => {
  harness = await startHarness()
  service = await spawnService(harness.databaseUrl, { TRUST_PROXY: 'true' })
})

after(async () => {
  closeConnections()
  await service.kill('SIGINT')
  await harness.end()
})

describe('a flood of logins', () => {
  it('leaves debits at least half of their undisturbed rate, and gets 401 or 429', async (test) => {
    const measure = await makeSenders()
    const flood = await startFlood()
    flood.signal('SIGSTOP')
    await measure()
    const ratios: number[] = []
    while (ratios.length < ATTEMPTS && !(Math.max(...ratios) >= 0.5)) {
      const { alone, beside } = await compare(measure, flood)
      ratios.push(percentile(beside, 0.5) / percentile(alone, 0.5))
      test.diagnostic(`debits per second: ${show(alone)} alone, ${show(beside)} during the flood`)
    }
    const { sent, counts } = await flood.stop()
    test.diagnostic(`kept ${ratios.map((each) => each.toFixed(2)).join(', ')} of the rate`)
    test.diagnostic(`${sent} login attempts: ${JSON.stringify(counts)}`)
    assert.deepEqual(Object.keys(counts).toSorted(), ['401', '429'])
    assert(sent > GUESSES_PER_SECOND * (WINDOW_MS / 1000), `${sent} were sent`)
    assert(Math.max(...ratios) >= 0.5, `debits kept ${ratios.join(', ')} of their rate`)
  })
})

/** Stops and continues the flood in turns, so that both rates are measured under the same conditions. */
async function compare(
  measure: () => Promise<number>,
  flood: { signal: (signal: NodeJS.Signals) => void },
) {
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    flood.signal('SIGSTOP')
    await sleep(300)
    alone.push(await measure())
    flood.signal('SIGCONT')
    await sleep(300)
    beside.push(await measure())
  }
  return { alone, beside }
}

/** Returns a function that lets a few senders debit for a while and returns the debits per second. */
async function makeSenders() {
  const app = await makeClientApp(harness.context)
  const { clientId, clientSecret } = app
  const users = await Promise.all(
    Array.from({ length: SENDERS }, () => makeLinkedUser(harness.context, app, 10_000_000n)),
  )
  async function send(serviceUserId: string, untilMs: number): Promise<number> {
    let debits = 0
    while (performance.now() < untilMs) {
      const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
      const body = { clientId, clientSecret, serviceUserId, amount: 0.01, ...pair }
      const response = await post(service.url, '/api/server/wallet/debit', body)
      assert.equal(response.status, 200, response.text)
      debits++
    }
    return debits
  }
  return async () => {
    const startedMs = performance.now()
    const untilMs = startedMs + WINDOW_MS
    const sent = await Promise.all(users.map((user) => send(user.serviceUserId, untilMs)))
    const tookMs = performance.now() - startedMs
    return (sent.reduce((sum, each) => sum + each, 0) / tookMs) * 1000
  }
}

async function startFlood() {
  const { clientId } = await makeClientApp(harness.context)
  const { email } = await makePerson({ harness })
  const script = fileURLToPath(new URL('../test/log-in-flood.ts', import.meta.url))
  const args = [script, service.url, clientId, email, String(GUESSES_PER_SECOND)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = text(child.stdout)
  return {
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      return JSON.parse(await output) as { sent: number; counts: Record<string, number> }
    },
  }
}

function show(rates: readonly number[]): string {
  return rates.map((rate) => rate.toFixed(0)).join(', ')
}
