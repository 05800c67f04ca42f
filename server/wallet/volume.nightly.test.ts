/** The list and the export of an app's operations in a large deployment, against the operator's statement. */
import { readStatement } from '@coffer/contract/admin/client-app-statements'
import { exportOperations, listOwnOperations } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { after, before, describe, it } from 'node:test'
import { askAs, openAdminSetup, type AdminSetup } from '../test/admin-setup.ts'
import { recomputeTotals, blockTotals } from '../test/books-setup.ts'
import { makeClientApp, makeLinkedUser, makeSecret, type TestApp } from '../test/factories.ts'
import { BUSY_APP, fillVolume, volumeApp } from '../test/fill-volume.ts'
import { spawnService, type ServiceProcess } from '../test/harness.ts'
import { basicOf, type Fields } from '../test/setup.ts'

const APPS = Array.from({ length: 1_000 }, (_, index) => volumeApp(index + 1))
const MONTHS = [3, 2, 1, 0].map((back) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
    .toISOString()
    .slice(0, 7)
})
const FIRST_PAGE_MS = 50
const GROWTH_MAX_BYTES = 64 * 1024 * 1024

describe('with 1 000 client apps and 10 million operations', () => {
  let setup: AdminSetup
  let service: ServiceProcess
  let small: TestApp
  before(async () => {
    setup = await openAdminSetup({ VERIFY_PERCENT: '0' })
    const { admin, context, databaseUrl } = setup.harness
    await blockTotals(admin)
    await fillVolume(admin, { operationsEach: 40, busyOperations: 6_000_000 })
    small = await makeClientApp(context)
    await spreadOperations(small)
    await recomputeTotals(admin)
    await admin.query('vacuum analyze')
    service = await spawnService(databaseUrl, {
      VERIFY_PERCENT: '0',
      PROCESSES: '1',
      APP_REQUESTS_PER_SECOND: '1000000',
    })
  })
  after(async () => {
    await service.kill('SIGINT')
    await setup.harness.end()
  })

  /** Three operations, the oldest almost 90 days old. */
  async function spreadOperations(app: TestApp) {
    const { admin, context } = setup.harness
    const { walletId } = await makeLinkedUser(context, app)
    await admin.query(
      `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
          reference_type, reference_id, hash)
        select $1, n + 1, -7, 0, date_trunc('milliseconds', now() - make_interval(days => 30 * n - 1)), $2, 'debit',
          'RARE', n, sha256('x') from generate_series(1, 3) n`,
      [walletId, app.ledgerAccount],
    )
  }

  async function open(app: { clientId: string; clientSecret: string }, path: string) {
    const response = await fetch(`${service.url}${path}`, { headers: basicOf(app) })
    assert.equal(response.status, 200, path)
    return response
  }

  async function openAs(clientId: string) {
    const { context } = setup.harness
    const clientSecret = await makeSecret(context, { clientId } as TestApp, ['wallet:read'])
    return { clientId, clientSecret }
  }

  interface Sums {
    debits: { count: number; minor: number }
    credits: { count: number; minor: number }
  }
  const noSums = (): Sums => ({ debits: { count: 0, minor: 0 }, credits: { count: 0, minor: 0 } })

  function add(sums: Sums, { type, amount }: Fields) {
    const side = type === 'debit' ? sums.debits : sums.credits
    side.count++
    side.minor += Math.round(Number(amount) * 100)
  }

  async function sumExport(
    app: Awaited<ReturnType<typeof openAs>>,
    month: string,
    onLine: (count: number) => void = () => undefined,
  ): Promise<Sums> {
    const { body } = await open(app, `${exportOperations.path}?month=${month}`)
    const sums = noSums()
    let count = 0
    const input = Readable.fromWeb(body as ReadableStream<Uint8Array>)
    for await (const line of createInterface({ input })) {
      add(sums, JSON.parse(line) as Fields)
      onLine(++count)
    }
    return sums
  }

  async function readSums(clientId: string, from: string, to: string): Promise<Sums> {
    const response = await askAs(setup, setup.viewer, readStatement, { clientId, from, to })
    assert.equal(response.statusCode, 200, response.body)
    const { debits, credits } = response.json<Record<string, { count: number; amount: number }>>()
    const toSums = (side = { count: 0, amount: 0 }) => {
      return { count: side.count, minor: Math.round(side.amount * 100) }
    }
    return { debits: toSums(debits), credits: toSums(credits) }
  }

  const lastDayOf = (month: string) => {
    const [year, number] = month.split('-').map(Number) as [number, number]
    return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  }

  it(`the first page of a small app is there in ${FIRST_PAGE_MS} ms`, async (test) => {
    const times: number[] = []
    // The pages of the tables are not in memory yet.
    await open(small, listOwnOperations.path)
    for (let turn = 0; turn < 40; turn++) {
      const startMs = performance.now()
      const page = (await (await open(small, listOwnOperations.path)).json()) as {
        operations: unknown[]
      }
      times.push(performance.now() - startMs)
      assert.equal(page.operations.length, 3)
    }
    const sorted = times.toSorted((a, b) => a - b)
    test.diagnostic(`median ${sorted[20]?.toFixed(1)} ms, longest ${sorted.at(-1)?.toFixed(1)} ms`)
    assert((sorted[20] ?? Infinity) <= FIRST_PAGE_MS)
  })

  it('the statements of all apps have the sums of all operations', async () => {
    const { rows } = await setup.harness.admin.query<{
      client_id: string
      kind: string
      count: bigint
      minor: bigint
    }>(
      `select client_id, kind, count(*) as count, sum(abs(amount)) as minor
        from ledger.operations join directory.client_apps on account_id = counter_account
        where kind in ('debit', 'credit') group by 1, 2`,
    )
    const sums = new Map(APPS.map((clientId) => [clientId, noSums()]))
    for (const { client_id: clientId, kind, count, minor } of rows) {
      const side = { count: Number(count), minor: Number(minor) }
      const of = sums.get(clientId)
      if (of) of[kind === 'debit' ? 'debits' : 'credits'] = side
    }
    const to = new Date().toISOString().slice(0, 10)
    for (const clientId of APPS) {
      assert.deepEqual(
        await readSums(clientId, `${MONTHS[0]}-01`, to),
        sums.get(clientId),
        clientId,
      )
    }
  })

  it('the exports of 5 other apps have the sums of the statements', async (test) => {
    const startMs = performance.now()
    let operations = 0
    for (const clientId of APPS.filter((_, index) => index % 200 === 7)) {
      const app = await openAs(clientId)
      for (const month of MONTHS) {
        const sums = await sumExport(app, month)
        assert.deepEqual(sums, await readSums(clientId, `${month}-01`, lastDayOf(month)), clientId)
        operations += sums.debits.count + sums.credits.count
      }
    }
    const seconds = Math.round((performance.now() - startMs) / 1000)
    test.diagnostic(`${operations} operations in ${seconds} s`)
  })

  it('the export of the busy app has the sums of the statement, with constant memory', async (test) => {
    const app = await openAs(BUSY_APP)
    const startMs = performance.now()
    const memory: number[] = []
    let operations = 0
    for (const month of MONTHS) {
      const sums = await sumExport(app, month, (count) => {
        if (count % 50_000 === 0) memory.push(readMemory(service.pid))
      })
      assert.deepEqual(sums, await readSums(BUSY_APP, `${month}-01`, lastDayOf(month)), month)
      operations += sums.debits.count + sums.credits.count
    }
    const seconds = (performance.now() - startMs) / 1000
    const half = memory.length / 2
    const [early, late] = [memory.slice(0, half), memory.slice(half)].map((each) =>
      Math.max(...each),
    )
    const inMb = (bytes = 0) => `${Math.round(bytes / 1024 / 1024)} MB`
    test.diagnostic(
      `${operations} operations in ${Math.round(seconds)} s, at most ${inMb(early)} in the first half, ${inMb(late)} in the second`,
    )
    assert(Number(late) - Number(early) < GROWTH_MAX_BYTES)
  })

  it('the lists of 5 apps have the sums of the statements', async () => {
    const to = new Date().toISOString().slice(0, 10)
    for (const clientId of APPS.filter((_, index) => index % 200 === 7)) {
      const app = await openAs(clientId)
      const sums = noSums()
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = `limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
        const response = await open(app, `${listOwnOperations.path}?${query}`)
        const page = (await response.json()) as { operations: Fields[]; nextCursor: string | null }
        for (const operation of page.operations) add(sums, operation)
        cursor = page.nextCursor
      }
      assert.deepEqual(sums, await readSums(clientId, `${MONTHS[0]}-01`, to), clientId)
    }
  })
})

function readMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
