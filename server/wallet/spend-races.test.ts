/** Payments at the limit in two processes: never a cent more than the user allows, and no 5xx. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { closeConnections, post, type ServiceResponse } from '../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp, type TestUser } from '../test/factories.ts'
import { spawnService, startHarness, type Harness, type ServiceProcess } from '../test/harness.ts'
import { readSpent, setLimit, sumOperations } from '../test/ledger/spend-setup.ts'

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
  await Promise.all(processes.map((each) => each.kill('SIGINT')))
  await harness.end()
})

type User = TestUser & { serviceUserId: string }
const nextPair = () => ({ referenceType: 'T', referenceId: `s-${++reference}` })

function send(index: number, path: string, fields: object): Promise<ServiceResponse> {
  const { clientId, clientSecret } = app
  const { url } = processes[index % 2] as ServiceProcess
  return post(url, `/api/server/wallet/${path}`, { clientId, clientSecret, ...fields })
}

const pay = (index: number, user: User, amount: number, path = 'debit') =>
  send(index, path, { serviceUserId: user.serviceUserId, amount, ...nextPair() })

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

async function limited(terms: Parameters<typeof setLimit>[1]): Promise<User> {
  const user = await makeLinkedUser(harness.context, app, 1000_00n)
  await setLimit({ harness, app, user }, terms)
  return user
}

/** The counters equal the operations. */
async function assertSpent(user: User, cents: bigint) {
  const shop = { harness, app, user }
  assert.deepEqual(await readSpent(shop), [cents, cents, cents])
  assert.deepEqual(await sumOperations(shop), [cents, cents, cents])
}

describe('spending limits in two processes', () => {
  it('debits and holds take exactly what fits', async () => {
    const user = await limited({ day: 10_00n })
    const responses = await times(100, (index) =>
      pay(index, user, 0.3, index % 4 < 2 ? 'debit' : 'hold'),
    )
    assert.deepEqual(count(responses), { 200: 33, '403 SPEND_LIMIT_EXCEEDED': 67 })
    await assertSpent(user, 9_90n)
  })

  it('equal requests get one refusal, also after the limit is raised', async () => {
    const user = await limited({ singleMax: 1_00n })
    const fields = { serviceUserId: user.serviceUserId, amount: 2, ...nextPair() }
    const [responses] = await Promise.all([
      times(40, (index) => send(index, 'debit', fields)),
      setLimit({ harness, app, user }, { singleMax: 1_50n }),
    ])
    await setLimit({ harness, app, user }, { singleMax: 5_00n })
    responses.push(await send(0, 'debit', fields), await send(1, 'debit', fields))
    assert.deepEqual(count(responses), { '403 SPEND_LIMIT_EXCEEDED': 42 })
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
  })

  it('refunds, releases and captures at the same time give back once', async () => {
    const user = await limited({ week: 20_00n })
    const debits = await times(10, async (index) => {
      const pair = nextPair()
      const { serviceUserId } = user
      const path = index % 2 === 0 ? 'debit' : 'hold'
      assert.equal((await send(index, path, { serviceUserId, amount: 2, ...pair })).status, 200)
      return { path, pair }
    })
    assert.deepEqual(count([await pay(0, user, 0.01)]), { '403 SPEND_LIMIT_EXCEEDED': 1 })
    const more = await Promise.all(
      debits.flatMap(({ path, pair }, index) => {
        if (path === 'debit') {
          return [0, 1].map((each) =>
            send(index + each, 'refund', { debit: pair, amount: 1.5, ...nextPair() }),
          )
        }
        return [
          send(index, 'capture', { hold: pair, amount: 0.5, ...nextPair() }),
          send(index + 1, 'release', { hold: pair, ...nextPair() }),
          pay(index, user, 0.01),
        ]
      }),
    )
    assert.ok(more.every(({ status }) => status < 500))
    const spent = await readSpent({ harness, app, user })
    assert.deepEqual(spent, await sumOperations({ harness, app, user }))
    assert.ok((spent?.[0] ?? 0n) <= 20_00n)
  })

  it('a limit that is set meanwhile holds from then on, and counts what was taken before', async () => {
    const user = await makeLinkedUser(harness.context, app, 1000_00n)
    const shop = { harness, app, user }
    const [responses] = await Promise.all([
      times(200, (index) => pay(index, user, 0.1)),
      setLimit(shop, { day: 10_00n }),
      setLimit(shop, { day: 10_00n, timeZone: 'Europe/Berlin' }),
    ])
    const late = await times(20, (index) => pay(index, user, 5.01))
    assert.deepEqual(count(late)['200'] ?? 0, (count(responses)['200'] ?? 0) * 10 <= 499 ? 1 : 0)
    const spent = await readSpent(shop)
    assert.deepEqual(spent?.[0], (await sumOperations(shop))[0])
    const [taken = 0n] = spent ?? []
    const { balance } = (await harness.context.ledger.readWallet(user.walletId)) ?? {}
    assert.equal(1000_00n - (balance ?? 0n), taken)
  })
})
