/** Refunds, captures, releases and expiries that run at once in two processes: exact to the cent, and no 5xx. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { unlink } from '../identity/link.ts'
import { verify } from '../ledger/verify/verify.ts'
import { closeConnections, post, type ServiceResponse } from '../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp, type TestUser } from '../test/factories.ts'
import { spawnService, startHarness, type Harness, type ServiceProcess } from '../test/harness.ts'
import { expireHoldsNow, readMoney } from '../test/ledger/hold-setup.ts'
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
  await Promise.all(processes.map((each) => each.kill('SIGINT')))
  await harness.end()
})

const nextPair = () => ({ referenceType: 'T', referenceId: `r-${++reference}` })

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

async function payAll(cents: bigint) {
  const user = await makeLinkedUser(harness.context, app, cents)
  const debit = nextPair()
  const amount = Number(cents) / 100
  const { serviceUserId } = user
  const response = await send(0, 'debit', { serviceUserId, amount, ...debit })
  assert.equal(response.status, 200)
  return { user, debit }
}

async function balanceOf({ walletId }: { walletId: bigint }) {
  return (await harness.context.ledger.readWallet(walletId))?.balance
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

describe('refunds in two processes', () => {
  it('50 equal requests refund once and get the same response', async () => {
    const { user, debit } = await payAll(10_00n)
    const fields = { debit, amount: 3, ...nextPair() }
    const responses = await times(50, (index) => send(index, 'refund', fields))
    assert.deepEqual(count(responses), { 200: 50 })
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
    assert.equal(await balanceOf(user), 3_00n)
  })

  it('200 partial refunds of 3 cents return exactly what fits into the debit', async () => {
    const { user, debit } = await payAll(1_00n)
    const responses = await times(200, (index) =>
      send(index, 'refund', { debit, amount: 0.03, ...nextPair() }),
    )
    assert.deepEqual(count(responses), { 200: 33, '409 REFUND_EXCEEDS_DEBIT': 167 })
    assert.equal(await balanceOf(user), 99n)
    const last = await times(20, (index) => send(index, 'refund', { debit, ...nextPair() }))
    assert.deepEqual(count(last), { 200: 1, '409 REFUND_EXCEEDS_DEBIT': 19 })
    assert.equal(await balanceOf(user), 1_00n)
  })

  it('refunds while the user unlinks and spends: the sum is exact', async () => {
    const { user, debit } = await payAll(5_00n)
    const { serviceUserId } = user
    const [refunds, debits] = await Promise.all([
      times(60, (index) => send(index, 'refund', { debit, amount: 0.1, ...nextPair() })),
      times(60, (index) => send(index, 'debit', { serviceUserId, amount: 0.1, ...nextPair() })),
      unlink(harness.context.db, app.id, user.id),
    ])
    const refunded = refunds.filter(({ status }) => status === 200).length
    assert.deepEqual(count(refunds), { 200: 50, '409 REFUND_EXCEEDS_DEBIT': 10 })
    assert.ok(debits.every(({ status }) => [200, 400, 404].includes(status)))
    const spent = debits.filter(({ status }) => status === 200).length
    assert.equal(await balanceOf(user), BigInt(10 * (refunded - spent)))
  })

  it('a wallet is closed or refunded, never both', async () => {
    for (let round = 0; round < 20; round++) {
      const { user, debit } = await payAll(1_00n)
      const { db, ledger } = harness.context
      const [response, isClosed] = await Promise.all([
        send(round, 'refund', { debit, ...nextPair() }),
        ledger.closeWallet(user.walletId, db),
      ])
      const isRefunded = response.status === 200
      assert.notEqual(isRefunded, isClosed)
      if (!isRefunded) assert.deepEqual(count([response]), { '409 WALLET_CLOSED': 1 })
      assert.equal(await balanceOf(user), isRefunded ? 1_00n : 0n)
    }
  })
})

describe('holds in two processes', () => {
  it('50 equal requests hold once and get the same response', async () => {
    const user = await makeLinkedUser(harness.context, app, 10_00n)
    const fields = { serviceUserId: user.serviceUserId, amount: 3, ...nextPair() }
    const responses = await times(50, (index) => send(index, 'hold', fields))
    assert.deepEqual(count(responses), { 200: 50 })
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
    assert.deepEqual(await readMoney({ harness, user }), [7_00n, 3_00n, 0n])
  })

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
        isLate
          ? expireHoldsNow({ harness, user }).then(() => expireHolds(harness.context))
          : undefined,
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
})

describe('the books', () => {
  it('are correct afterwards', async () => {
    const client = new pg.Client(clientConfig(harness.databaseUrl))
    await client.connect()
    const report = await verify(client, {})
    await client.end()
    assert.equal(report.fault, undefined)
  })
})
