/** A pause under load, on two processes: writes stop within a second, and no response is wrong. */
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import * as switchesEndpoints from '@coffer/contract/admin/switches'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { verify } from '../../ledger/verify/verify.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { closeConnections, post, type ServiceResponse } from '../../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp, type TestUser } from '../../test/factories.ts'
import { spawnService, type ServiceProcess } from '../../test/harness.ts'

const DEBIT = '/api/server/wallet/debit'
const LANES = 8
const BALANCE = 1_000_000_00n

interface Sent {
  referenceId: string
  sentMs: number
  respondedMs: number
  response: ServiceResponse
}

interface Shop {
  app: TestApp
  user: TestUser & { serviceUserId: string }
}

let setup: AdminSetup
let processes: [ServiceProcess, ServiceProcess]
let reference = 0

before(async () => {
  setup = await openAdminSetup()
  const { databaseUrl } = setup.harness
  processes = [await spawnService(databaseUrl), await spawnService(databaseUrl)]
})
after(async () => {
  closeConnections()
  await Promise.all(processes.map((each) => each.kill('SIGINT')))
  await setup.harness.end()
})

async function openShop(): Promise<Shop> {
  const { context } = setup.harness
  const app = await makeClientApp(context)
  return { app, user: await makeLinkedUser(context, app, BALANCE) }
}

function debit(url: string, { app, user }: Shop, referenceId: string): Promise<ServiceResponse> {
  const { clientId, clientSecret } = app
  const pair = { referenceType: 'ORDER', referenceId }
  const { serviceUserId } = user
  return post(url, DEBIT, { clientId, clientSecret, serviceUserId, amount: 0.01, ...pair })
}

/** Sends debits to both processes until it ends; each has a new pair. */
function loadBoth(shop: Shop) {
  const over = new AbortController()
  const sent: Sent[] = []
  async function run(lane: number) {
    const { url } = processes[lane % 2] as ServiceProcess
    while (!over.signal.aborted) {
      const referenceId = `r-${++reference}`
      const sentMs = performance.now()
      const response = await debit(url, shop, referenceId)
      sent.push({ referenceId, sentMs, respondedMs: performance.now(), response })
      if (response.status !== 200) await sleep(20)
    }
  }
  const lanes = Array.from({ length: LANES }, (_, lane) => run(lane))
  return {
    sent,
    async end() {
      over.abort()
      await Promise.all(lanes)
    },
  }
}

async function operate(endpoint: AdminEndpoint, fields: Record<string, unknown>) {
  const response = await askAs(setup, setup[endpoint.role], endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
  return performance.now()
}

async function countOperations({ user }: Shop): Promise<number> {
  const { rows } = await setup.harness.admin.query<{ count: number }>(
    'select count(*)::int as count from ledger.operations where wallet_id = $1',
    [user.walletId],
  )
  return rows[0]?.count ?? 0
}

const statusesOf = (sent: readonly Sent[]) => [
  ...new Set(sent.map(({ response }) => response.status)),
]

/** Every request that got a 200 was executed once, and no other was executed. */
async function assertNoWrongResponse(shop: Shop, sent: readonly Sent[]) {
  assert.deepEqual(new Set(statusesOf(sent)), new Set([200, 503]))
  for (const { response } of sent) {
    if (response.status === 503) assert.equal(response.headers['retry-after'], '30', response.text)
  }
  const { rows } = await setup.harness.admin.query<{ reference_id: string }>(
    'select reference_id from ledger.operations where wallet_id = $1 and amount < 0',
    [shop.user.walletId],
  )
  const done = sent.filter(({ response }) => response.status === 200)
  assert.deepEqual(
    rows.map((row) => row.reference_id).toSorted(),
    done.map(({ referenceId }) => referenceId).toSorted(),
  )
  const wallet = await setup.harness.context.ledger.readWallet(shop.user.walletId)
  assert.equal(wallet?.balance, BALANCE - BigInt(done.length))
}

async function playPause(shop: Shop, endpoint: AdminEndpoint, fields: Record<string, unknown>) {
  const load = loadBoth(shop)
  while (load.sent.length < 100) await sleep(50)
  const reason = 'A test under load'
  const pausedMs = await operate(endpoint, { ...fields, isPaused: true, reason })
  await sleep(1_000)
  const still = await countOperations(shop)
  await sleep(1_500)
  assert.equal(await countOperations(shop), still)
  const [known] = load.sent as [Sent]
  for (const { url } of processes) {
    const repeat = await debit(url, shop, known.referenceId)
    assert.deepEqual([repeat.status, repeat.text], [200, known.response.text])
    assert.equal(repeat.headers['idempotency-replayed'], 'true')
  }
  const resumingMs = performance.now()
  const resumedMs = await operate(endpoint, { ...fields, isPaused: false })
  await sleep(1_500)
  await load.end()
  const during = load.sent.filter(
    ({ sentMs, respondedMs }) => sentMs > pausedMs + 1_000 && respondedMs < resumingMs,
  )
  const later = load.sent.filter(({ sentMs }) => sentMs > resumedMs + 1_000)
  assert.deepEqual([statusesOf(during), statusesOf(later)], [[503], [200]])
  await assertNoWrongResponse(shop, load.sent)
  return load.sent.length
}

describe('two processes under load', () => {
  it('decide no write one second after all writes are paused, and work again after the resume', async (test) => {
    const shop = await openShop()
    const sent = await playPause(shop, switchesEndpoints.pauseWrites, {})
    test.diagnostic(`${sent} debits, none with a wrong response`)
  })

  it('stop the writes of one paused app within a second, and continue for another app', async () => {
    const [shop, neighbour] = [await openShop(), await openShop()]
    const { clientId } = shop.app
    const beside = loadBoth(neighbour)
    await playPause(shop, switchesEndpoints.pauseClientApp, { clientId })
    await beside.end()
    assert.deepEqual(statusesOf(beside.sent), [200])
  })

  it('leave a ledger that verifies', async () => {
    const client = new pg.Client(clientConfig(setup.harness.databaseUrl))
    await client.connect()
    const report = await verify(client, {})
    await client.end()
    assert.equal(report.fault, undefined)
  })
})
