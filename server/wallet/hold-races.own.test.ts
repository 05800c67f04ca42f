/** Captures, releases, expiries and debits that run at once in two processes: exact to the cent, and no 5xx. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { verify } from '../ledger/verify.ts'
import { closeConnections, post, type ServiceResponse } from '../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp, type TestUser } from '../test/factories.ts'
import { spawnService, startHarness, type Harness, type ServiceProcess } from '../test/harness.ts'
import { passTime, readMoney } from '../test/ledger/hold-setup.ts'
import { expireHolds } from './expire-holds.ts'

let harness: Harness
let processes: ServiceProcess[]
let app: TestApp
let reference = 0

before(async () => {
  harness = await startHarness()
  processes = await Promise.all([1, 2].map(() => spawnService(harness.databaseUrl)))
  app = await makeClientApp(harness.context)
})
after(async () => {
  closeConnections()
  await Promise.all(processes.map((each) => each.kill('SIGTERM')))
  await harness.end()
})

const nextPair = () => ({ referenceType: 'T', referenceId: `h-${++reference}` })

function send(index: number, path: string, fields: object): Promise<ServiceResponse> {
  const { clientId, clientSecret } = app
  const { url } = processes[index % 2] as ServiceProcess
  return post(url, `/api/server/wallet/${path}`, { clientId, clientSecret, ...fields })
}

type User = TestUser & { serviceUserId: string }

/** A user with this balance, all of which is held. */
async function holdAll(cents: bigint): Promise<{ user: User; hold: object }> {
  const user = await makeLinkedUser(harness.context, app, cents)
  const hold = nextPair()
  const { serviceUserId } = user
  const fields = { serviceUserId, amount: Number(cents) / 100, ...hold }
  assert.equal((await send(0, 'hold', fields)).status, 200)
  return { user, hold }
}

function count(responses: ServiceResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, text } of responses) {
    const name = status === 200 ? '200' : `${status} ${String(JSON.parse(text).code)}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const times = <Result>(number: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: number }, (_, index) => work(index)))

describe('holds in two processes', () => {
  it('partial captures take exactly what fits into the hold', async () => {
    const { user, hold } = await holdAll(1_00n)
    const responses = await times(100, (index) =>
      send(index, 'capture', { hold, amount: 0.03, isFinal: false, ...nextPair() }),
    )
    assert.deepEqual(count(responses), { 200: 33, '409 CAPTURE_EXCEEDS_HOLD': 67 })
    assert.deepEqual(await readMoney({ harness, user }), [0n, 1n, 0n])
  })

  it('a capture, a release or the expiry gets the money, never two of them', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 30; round++) {
      const { user, hold } = await holdAll(5_00n)
      const isLate = round % 3 === 2
      const [, ...responses] = await Promise.all([
        isLate ? passTime({ harness, user }).then(() => expireHolds(harness.context)) : undefined,
        send(round, 'capture', { hold, ...nextPair() }),
        send(round + 1, 'release', { hold, ...nextPair() }),
      ])
      const [captured, released] = responses.map(({ status }) => status === 200)
      assert.ok(!(captured && released))
      assert.ok(responses.every(({ status }) => status === 200 || status === 409))
      if (!isLate) assert.ok(captured || released)
      assert.deepEqual(await readMoney({ harness, user }), [captured ? 0n : 5_00n, 0n, 0n])
      seen.add(captured ? 'capture' : released ? 'release' : 'expiry')
    }
    assert.ok(seen.size >= 2, [...seen].join())
  })

  it('leave correct books', async () => {
    const client = new pg.Client(clientConfig(harness.databaseUrl))
    await client.connect()
    const report = await verify(client, {})
    await client.end()
    assert.equal(report.fault, undefined)
  })
})
