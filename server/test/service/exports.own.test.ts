/** Exports of people and operators are limited and delay nobody else. */
import { exportHistory, readHistory } from '@coffer/contract/account/account'
import { exportPersonHistory } from '@coffer/contract/admin/people'
import { checkBalance } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Exports } from '../../http/limit-exports.ts'
import { ask, makePerson, type TestPerson } from '../account-setup.ts'
import { ADMIN_ENV, askAs, makeOperator, outcomesOf } from '../admin-setup.ts'
import { giveBonus } from '../factories.ts'
import { connectAdmin, startHarness, type Harness } from '../harness.ts'
import { assertRefusal, call, addShop } from '../setup.ts'

let harness: Harness
let holder: pg.Client
before(async () => {
  harness = await startHarness(ADMIN_ENV)
  holder = await connectAdmin(harness.databaseUrl)
})
after(async () => {
  await holder.end()
  await harness.end()
})

/** While the work runs, every query of operations waits. */
async function withOperationsLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  await holder.query('begin')
  await holder.query('lock table ledger.operations in access exclusive mode')
  try {
    return await work()
  } finally {
    await holder.query('rollback')
  }
}

async function waitForQueries(count: number) {
  const sql = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  for (let tries = 0; tries < 400; tries++) {
    const { rows } = await harness.admin.query<{ count: number }>(sql)
    if (rows[0]?.count === count) return
    await sleep(10)
  }
  assert.fail(`not ${count} queries wait`)
}

const download = (person: TestPerson) => ask({ harness, person }, exportHistory)

describe('exports in progress', () => {
  it('429 RATE_LIMITED for a second one of the same person, and for a third one in a process', async () => {
    const people = [await makePerson(harness, 1n), await makePerson(harness, 1n)] as const
    const stranger = await makePerson(harness, 1n)
    const started = await withOperationsLocked(async () => {
      const first = download(people[0])
      await waitForQueries(1)
      const refused = await download(people[0])
      assertRefusal(refused, exportHistory, 'RATE_LIMITED')
      const second = download(people[1])
      await waitForQueries(2)
      const third = await download(stranger)
      assertRefusal(third, exportHistory, 'RATE_LIMITED')
      return [first, second]
    })
    assert.deepEqual(outcomesOf(await Promise.all(started)), ['200', '200'])
    for (const person of [...people, stranger]) {
      assert.deepEqual(outcomesOf([await download(person), await download(person)]), ['200', '200'])
    }
  })

  it('429 RATE_LIMITED for a second one of the same operator; those of people do not count', async () => {
    const people = [await makePerson(harness, 1n), await makePerson(harness, 1n)] as const
    const viewers = [await makeOperator(harness, 'viewer'), await makeOperator(harness, 'viewer')]
    const shop = await addShop(harness)
    const fields = { id: String(people[0].id) }
    const { ledger } = harness.context
    const { decision } = await giveBonus(ledger, shop.user.walletId, 1n)
    const started = await withOperationsLocked(async () => {
      const all = [
        ...people.map(download),
        ...viewers.flatMap((each) => [
          askAs({ harness }, each, exportPersonHistory, fields),
          askAs({ harness }, each, exportPersonHistory, fields),
        ]),
      ]
      await waitForQueries(2)
      // The connections for the reads of client apps remain free until all four exports read their first page: with two
      // other reads, exports on these connections would leave none.
      const reads = [ledger.readOperation(decision), ledger.readOperation(decision)]
      await waitForQueries(4)
      const { serviceUserId } = shop.user
      for (let index = 0; index < 10; index++) {
        const balance = await call(shop, checkBalance, { serviceUserId, requiredAmount: 1 })
        assert.equal(balance.statusCode, 200)
      }
      return { all, reads }
    })
    await Promise.all(started.reads)
    assert.deepEqual(outcomesOf(await Promise.all(started.all)), [
      ...Array.from({ length: 4 }, () => '200'),
      ...viewers.map(() => 'RATE_LIMITED'),
    ])
  })

  it('count after the client has disconnected until their query has ended', async () => {
    await harness.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = harness.app.server.address() as AddressInfo
    const person = await makePerson(harness, 1n)
    await withOperationsLocked(async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        `GET ${exportHistory.path} HTTP/1.1\r\nHost: wallet\r\nCookie: ${person.cookie}\r\n\r\n`,
      )
      await waitForQueries(1)
      socket.destroy()
      await once(socket, 'close')
      const again = await download(person)
      assertRefusal(again, exportHistory, 'RATE_LIMITED')
    })
    for (let tries = 0; tries < 200; tries++) {
      if ((await download(person)).statusCode === 200) return
      await sleep(25)
    }
    assert.fail('the export is still in progress')
  })

  it('keep their place when the connection of an earlier one closes late', async () => {
    const exports = new Exports(10)
    const start = async () => {
      const lines = new Readable({ autoDestroy: false, read: () => undefined })
      const response = new EventEmitter() as ServerResponse
      await exports.start('person', response, () => Promise.resolve(lines))
      return lines
    }
    const first = await start()
    first.push(null)
    first.resume()
    await once(first, 'end')
    await start()
    first.destroy()
    await once(first, 'close')
    await assert.rejects(start(), { code: 'RATE_LIMITED' })
  })

  it('leave the place free if they fail', async () => {
    const person = await makePerson(harness, 1n)
    const wrong = { search: 'a\u0001' }
    for (let index = 0; index < 3; index++) {
      const refused = await ask({ harness, person }, exportHistory, wrong)
      assertRefusal(refused, exportHistory, 'INVALID_REQUEST', 'search')
    }
    assert.equal((await download(person)).statusCode, 200)
    assert.equal((await ask({ harness, person }, readHistory)).statusCode, 200)
  })

  it('leave the place free if their first page cannot be read', async () => {
    const exports = new Exports(1)
    const response = new EventEmitter() as ServerResponse
    for (let index = 0; index < 2; index++) {
      const start = exports.start('person', response, () => Promise.reject(new Error('lost')))
      await assert.rejects(start, { message: 'lost' })
    }
  })
})

describe('searches of one person', () => {
  it('do not delay the history of another', async () => {
    const [busy, other] = [await makePerson(harness, 1n), await makePerson(harness, 1n)]
    const order: TestPerson[] = []
    const read = async (person: TestPerson) => {
      const { statusCode, body } = await ask({ harness, person }, readHistory, { search: 'x' })
      assert.equal(statusCode, 200, body)
      order.push(person)
    }
    const started = await withOperationsLocked(async () => {
      const searches = Array.from({ length: 8 }, () => read(busy))
      await waitForQueries(1)
      const last = read(other)
      await waitForQueries(2)
      return [...searches, last]
    })
    await Promise.all(started)
    assert(order.indexOf(other) < 5, `number ${order.indexOf(other) + 1} of ${order.length}`)
  })
})

describe('a process that stops while a client downloads slowly', () => {
  it('ends the export, and the client notices that the file is not complete', async () => {
    const stopping = await startHarness(ADMIN_ENV)
    const person = await makePerson(stopping, 1n)
    await fillHistory(stopping, person.walletId)
    await stopping.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = stopping.app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${exportHistory.path}`, {
      headers: { cookie: person.cookie },
    })
    assert.equal(response.status, 200)
    const ended = stopping.end().then(() => true)
    // Before the connection times out because nobody reads.
    assert.ok(await Promise.race([ended, sleep(15_000, false)]), 'it still runs after 15 s')
    await assert.rejects(response.text())
  })
})

/** More than the buffers of the operating system hold. */
async function fillHistory({ admin }: Harness, walletId: bigint) {
  await admin.query(
    `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
        reference_type, reference_id, description, hash)
      select $1, n + 1, 1, n, now(), 1, 'topup', 'FILL', n, repeat('x', 1000), decode(repeat('00', 32), 'hex')
      from generate_series(1, 30000) n`,
    [walletId],
  )
  await admin.query('update ledger.wallets set seq = 30001 where id = $1', [walletId])
}
