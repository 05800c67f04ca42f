import type { Endpoint } from '@coffer/contract/endpoint'
import { capture, hold, release } from '@coffer/contract/server/holds'
import {
  credit,
  debit,
  exportOperations as endpoint,
  listOwnOperations,
  refund,
} from '@coffer/contract/server/wallet'
import { listedOperation } from '@coffer/contract/server/operation-fields'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadShares } from '../ledger/read/share-reads.ts'
import { openAdminSetup, type AdminSetup } from '../test/admin-setup.ts'
import { recomputeTotals, blockTotals } from '../test/books-setup.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import { spawnService } from '../test/harness.ts'
import { pairOf } from '../test/ledger/refund-setup.ts'
import { assertRefusal, basicOf, call, type Fields } from '../test/setup.ts'
import { exportOperations } from './export-operations.ts'

let setup: AdminSetup
let port: number
before(async () => {
  setup = await openAdminSetup({ VERIFY_PERCENT: '0' })
  await blockTotals(setup.harness.admin)
  await setup.harness.app.listen({ port: 0, host: '127.0.0.1' })
  port = (setup.harness.app.server.address() as AddressInfo).port
})
after(() => setup.harness.end())

const MONTH = new Date().toISOString().slice(0, 7)

async function readLines(app: TestApp, month = MONTH): Promise<Fields[]> {
  const response = await call({ ...setup, app }, endpoint, { month })
  assert.equal(response.statusCode, 200, response.body)
  assert.equal(response.headers['content-type'], 'application/x-ndjson')
  assert.match(response.body, /^([^\n]+\n)*$/)
  return response.body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Fields)
}

/** An app that has done one of everything, and its user. */
async function addBusyShop() {
  const { harness } = setup
  const app = await makeClientApp(harness.context)
  const user = await makeLinkedUser(harness.context, app, 100_00n)
  const { serviceUserId } = user
  const shop = { harness, app }
  const post = async (to: Endpoint, fields: Fields) => {
    const pair = pairOf('EXPORT')
    const response = await call(shop, to, { ...fields, ...pair })
    assert.equal(response.statusCode, 200, response.body)
    return pair
  }
  const paid = await post(debit, { serviceUserId, amount: 20.01, description: 'Tea "ü" \u2028' })
  await post(credit, { serviceUserId, amount: 3.5 })
  await post(refund, { debit: paid, amount: 4.25 })
  const held = await post(hold, { serviceUserId, amount: 10 })
  const taken = await post(capture, { hold: held, amount: 6.5 })
  await post(refund, { debit: taken, amount: 1.5 })
  const other = await post(hold, { serviceUserId, amount: 5 })
  await post(release, { hold: other })
  return { app, user }
}

/** Operations of the app without a wallet chain, to have many of them. */
async function fill({ app, walletId }: { app: TestApp; walletId: bigint }, count: number) {
  await setup.harness.admin.query(
    `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
        reference_type, reference_id, description, hash)
      select $1, n + 1, -1, n, date_trunc('milliseconds', start + (now() - start) * n / $3), $2, 'debit', 'FILL', n, repeat('x', 200), decode(repeat('00', 32), 'hex')
      from generate_series(1, $3::int) n, date_trunc('month', now(), 'UTC') as start`,
    [walletId, app.ledgerAccount, count],
  )
  await recomputeTotals(setup.harness.admin)
}

function open(app: TestApp, at: number | string = port): Promise<IncomingMessage> {
  const origin = typeof at === 'string' ? at : `http://127.0.0.1:${at}`
  const url = `${origin}${endpoint.path}?month=${MONTH}`
  return new Promise((resolve, reject) => {
    get(url, { headers: basicOf(app), agent: false }, resolve).on('error', reject)
  })
}

async function drain(response: IncomingMessage) {
  let lines = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    lines += piece.filter((byte) => byte === 10).length
    if (lines % 10_000 < 100) await sleep(5)
  }
  return lines
}

describe('GET /api/server/operations/export', () => {
  it('200 has the operations of the month with the fields and in the order of the list', async () => {
    const { app } = await addBusyShop()
    const lines = await readLines(app)
    const list = await call({ ...setup, app }, listOwnOperations, {})
    assert.deepEqual(lines, list.json<{ operations: Fields[] }>().operations)
    assert.equal(lines.length, 8)
    for (const line of lines) listedOperation.parse(line)
    for (const month of ['2001-01', '9999-12']) assert.deepEqual(await readLines(app, month), [])
  })

  it('400 INVALID_REQUEST for a month that is none', async () => {
    for (const month of ['2026', '2026-13', '2026-00', '0000-01', '2026-1', '2026-01-01', '']) {
      const response = await call(setup, endpoint, { month })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'month')
    }
  })

  it('400 INVALID_REQUEST for an archived month; one that is archived meanwhile breaks the connection', async () => {
    const { admin, context } = setup.harness
    const app = await makeClientApp(context)
    const { walletId } = await makeLinkedUser(context, app)
    await fill({ app, walletId }, 60_000)
    const running = await open(app)
    await once(running, 'readable')
    await admin.query(
      `insert into ledger.archived_months (month, operations, manifest_hash)
        values ($1, 0, sha256('x'))`,
      [`${MONTH}-01`],
    )
    try {
      const refused = await call({ ...setup, app }, endpoint, { month: '2026-01' })
      // The place of the first one is taken until it ends.
      assertRefusal(refused, endpoint, 'RATE_LIMITED')
      await assert.rejects(drain(running), { code: 'ECONNRESET' })
      const archived = await call({ ...setup, app }, endpoint, { month: '2026-01' })
      assert.deepEqual([archived.statusCode, archived.json<Fields>()['field']], [400, 'month'])
      assert.match(archived.body, /This month is archived\. Ask the operator for it\./)
    } finally {
      await admin.query('delete from ledger.archived_months')
    }
  })

  it('429 RATE_LIMITED for a second one of the same app, until the client of the first disconnects', async () => {
    const { app, user } = await addBusyShop()
    await fill({ app, walletId: user.walletId }, 60_000)
    const first = await open(app)
    assert.equal(first.statusCode, 200)
    await once(first, 'readable')
    const second = await call({ ...setup, app }, endpoint, { month: MONTH })
    assertRefusal(second, endpoint, 'RATE_LIMITED')
    // Its list and other apps are served meanwhile.
    assert.equal((await call({ ...setup, app }, listOwnOperations, {})).statusCode, 200)
    assert.equal((await readLines((await addBusyShop()).app)).length, 8)
    first.destroy()
    for (let tries = 0; ; tries++) {
      const again = await open(app)
      again.destroy()
      if (again.statusCode === 200) return
      assert(tries < 100, 'the first export still runs')
      await sleep(25)
    }
  })

  it('200 has every operation once, also if a page had to wait for other reads of the app', async () => {
    const { context } = setup.harness
    const app = await makeClientApp(context)
    const { walletId } = await makeLinkedUser(context, app)
    await fill({ app, walletId }, 2_500)
    const clientApp = await context.clientApps.find(app.clientId)
    assert(clientApp)
    const shares = new ReadShares({ atOnce: 1, perScope: 1, waitingMax: 0 })
    const lines = await exportOperations(context, shares, clientApp, MONTH)
    const others = shares.run(app.ledgerAccount, () => sleep(300))
    const ids = (await text(lines))
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Fields)['referenceId'])
    await others
    assert.deepEqual([ids.length, new Set(ids).size], [2_500, 2_500])
  })

  it(
    '200 needs constant memory, however slowly the client reads',
    { timeout: 120_000 },
    async () => {
      const { harness } = setup
      const app = await makeClientApp(harness.context)
      const { walletId } = await makeLinkedUser(harness.context, app)
      await fill({ app, walletId }, 150_000)
      // All lines together are larger than the heap.
      const env = { NODE_OPTIONS: '--max-old-space-size=48', VERIFY_PERCENT: '0', PROCESSES: '1' }
      const service = await spawnService(harness.databaseUrl, env)
      try {
        const response = await open(app, service.url)
        let bytes = 0
        response.on('data', (piece: Buffer) => (bytes += piece.length))
        assert.equal(await drain(response), 150_000)
        assert(bytes > 60_000_000, `${bytes} bytes`)
      } finally {
        assert.equal(await service.kill('SIGINT'), 0)
      }
    },
  )
})
