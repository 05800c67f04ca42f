import * as endpoints from '@coffer/contract/admin/people'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createServiceUser } from '../../identity/create-service-user.ts'
import { link, unlink } from '../../identity/link.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { inventEmail } from '../../test/sign-in.ts'
import { giveBonus, makeClientApp, makeUser } from '../../test/factories.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

interface Listed {
  id: string
  firstName: string | null
  email: string | null
  balance: number
  isActive: boolean
}

async function make(firstName: string, lastName: string, email = inventEmail()) {
  return {
    ...(await createServiceUser(setup.harness.context, { firstName, lastName, email })),
    email,
  }
}

async function erase(id: bigint) {
  await setup.harness.admin.query('delete from directory.people where service_user_id = $1', [id])
}

describe('GET /api/admin/people', () => {
  const endpoint = endpoints.listPeople
  const list = async (fields: Record<string, string> = {}) => {
    const response = await askAs(setup, setup.viewer, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json<{ people: Listed[]; currency: string; nextCursor: string | null }>()
  }
  const find = async (search: string) => (await list({ search })).people.map(({ id }) => BigInt(id))

  it('200 pages through every person exactly once, newest first, including erased ones', async () => {
    const { context } = setup.harness
    const made: bigint[] = []
    for (let count = 0; count < 55; count++) made.push((await makeUser(context)).id)
    await erase(made[3] ?? 0n)
    const first = await list()
    assert.equal(first.people.length, 50)
    assert.equal(first.currency, 'USD')
    const second = await list({ cursor: first.nextCursor ?? '' })
    assert.equal(second.nextCursor, null)
    const found = [...first.people, ...second.people]
    assert.deepEqual(
      found.map(({ id }) => BigInt(id)),
      made.toReversed(),
    )
    assert.equal(found.at(-4)?.email, null)
  })

  it('200 returns name, email, balance and the state of the wallet', async () => {
    const { ledger } = setup.harness.context
    const { id, walletId, email } = await make('Zoë', 'Row')
    await giveBonus(ledger, walletId, 12_34n)
    await ledger.setWalletActive(walletId, false)
    const [row] = (await list()).people
    const { createdAt, ...rest } = row as Listed & { createdAt: string }
    assert.deepEqual(rest, {
      id: String(id),
      firstName: 'Zoë',
      lastName: 'Row',
      email,
      balance: 12.34,
      isActive: false,
    })
    assert(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000)
  })

  it('200 lists only frozen wallets, also among the people who match a search', async () => {
    const { admin, context } = setup.harness
    const mark = `Frost${randomUUID().slice(0, 8)}`
    const [cold, other, warm, gone] = [
      await make('Cold', mark),
      await make('Other', mark),
      await make('Warm', mark),
      await make('Gone', mark),
    ]
    for (const { walletId } of [cold, other, gone]) {
      await context.ledger.setWalletActive(walletId, false)
    }
    await admin.query('update ledger.wallets set closed_at = now() where id = $1', [gone.walletId])
    const findFrozen = async (search?: string) => {
      const { people } = await list({ state: 'frozen', ...(search && { search }) })
      assert(people.every(({ isActive }) => !isActive))
      return people.map(({ id }) => BigInt(id))
    }
    const all = await findFrozen()
    assert.deepEqual(all.slice(0, 2), [other.id, cold.id])
    assert(!all.includes(warm.id) && !all.includes(gone.id))
    assert.deepEqual(await findFrozen(mark), [other.id, cold.id])
    assert.deepEqual(await findFrozen(cold.email), [cold.id])
    assert.deepEqual(await findFrozen(warm.email), [])
    assert.deepEqual(await findFrozen(`person/${warm.id}`), [])
    assert.deepEqual(await findFrozen(`person/${cold.id}`), [cold.id])
  })

  it('200 finds by email or its prefix, case-insensitively and literally', async () => {
    const mark = randomUUID()
    const one = await make('Mail', 'One', `${mark}.a_b@Example.com`)
    const other = await make('Mail', 'Other', `${mark}.axb@example.com`)
    assert.deepEqual(await find(mark), [other.id, one.id])
    assert.deepEqual(await find(` ${mark.toUpperCase()}.A_B@example.COM `), [one.id])
    assert.deepEqual(await find(`${mark}.a_`), [one.id])
    assert.deepEqual(await find(`${mark}.a%`), [])
    assert.deepEqual(await find(mark.slice(1)), [])
  })

  it('200 finds by prefixes of words of the name, in any order and case', async () => {
    const hyphen = await make('Anna-Maria', 'van der Quellenberg')
    const quote = await make('Seán', "O'Quellenbrien")
    for (const search of ['quellenberg', 'MARIA quellenb', 'quellenberg anna', 'van quellenberg']) {
      assert.deepEqual(await find(search), [hyphen.id], search)
    }
    for (const search of ["o'quellenbrien", "O'Quell", 'Seán quellenbri']) {
      assert.deepEqual(await find(search), [quote.id], search)
    }
    assert.deepEqual(await find('quellenb'), [quote.id, hyphen.id])
    assert.deepEqual(await find('quellenb nobody'), [])
    assert.deepEqual(await find('ellenberg'), [])
  })

  it('200 treats special characters literally', async () => {
    await make('Plain', 'Person')
    const odd = [
      "'",
      "''",
      '\\',
      "\\'",
      '%',
      '%%',
      '_',
      ':*',
      '()',
      'zzz | plain',
      "zzz' | 'plain",
      '!zzz',
    ]
    for (const search of odd) assert.deepEqual(await find(search), [], search)
    assert.equal((await find("plain ' person")).length, 1)
  })

  it('200 finds by a serviceUserId of any client app, also for an ended link and an erased person', async () => {
    const { context } = setup.harness
    const other = await makeClientApp(context)
    const { id } = await make('Linked', 'Twice')
    const ended = await link(context.db, setup.app.id, id)
    await unlink(context.db, setup.app.id, id)
    const ids = [
      ended,
      await link(context.db, setup.app.id, id),
      await link(context.db, other.id, id),
    ]
    assert.equal(new Set(ids).size, 3)
    for (const each of ids) assert.deepEqual(await find(each), [id])
    await erase(id)
    const [row] = (await list({ search: ended })).people
    assert.deepEqual([row?.id, row?.firstName, row?.email], [String(id), null, null])
    assert.deepEqual(await find(`su_${'0'.repeat(32)}`), [])
    assert.deepEqual(await find(ended.slice(0, -1)), [])
  })

  it('200 finds by the subject in the audit log', async () => {
    const { id } = await make('Audited', 'Person')
    assert.deepEqual(await find(`person/${id}`), [id])
    assert.deepEqual(await find('person/999999999'), [])
  })
})
