/** Logins of users and of operators follow the same rules. A new kind of login needs a row. */
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ask } from '../account-setup.ts'
import { ADMIN_ENV } from '../admin-setup.ts'
import { startHarness } from '../harness.ts'
import {
  assertRemoved,
  assertStarted,
  LOG_IN_KINDS,
  type LogInKind,
  type LogInSetup,
  type Owner,
} from '../tables/log-in-kinds.ts'
import { startMailServer } from '../mail-server.ts'
import { assertRefusal } from '../setup.ts'

let setup: LogInSetup
before(async () => {
  const mail = await startMailServer()
  setup = { mail, harness: await startHarness({ ...ADMIN_ENV, ...mail.env }) }
})
after(async () => {
  await setup.harness.end()
  await setup.mail.stop()
})

const hashOf = (cookie: string) => hash('sha256', cookie.split('=')[1] ?? '', 'buffer')

/** One login in the database. */
function rowOf({ table }: LogInKind, cookie: string) {
  const { admin } = setup.harness
  return {
    set: (change: string) =>
      admin.query(`update ${table} set ${change} where token_hash = $1`, [hashOf(cookie)]),
    async read<Value>(expression: string): Promise<Value | undefined> {
      const { rows } = await admin.query<{ value: Value }>(
        `select ${expression} as value from ${table} where token_hash = $1`,
        [hashOf(cookie)],
      )
      return rows[0]?.value
    },
  }
}

const call = (endpoint: LogInKind['read'], cookie: string, fields = {}) =>
  ask({ harness: setup.harness, person: { cookie } }, endpoint, fields)

async function isIn({ read }: LogInKind, cookie: string): Promise<boolean> {
  const response = await call(read, cookie)
  if (response.statusCode === 200) return true
  assertRefusal(response, read, 'LOGIN_REQUIRED')
  return false
}

/** Logs in as this user or operator from another browser. */
async function another(kind: LogInKind, { starts }: Owner): Promise<string> {
  const [start] = Object.values(starts)
  assert(start !== undefined)
  return assertStarted(kind, await start())
}

describe('the table of logins', () => {
  it('has every database table that stores browser tokens', async () => {
    const { rows } = await setup.harness.admin.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.columns
       where column_name in ('token_hash', 'last_seen_at') group by 1 having count(*) = 2`,
    )
    const tables = LOG_IN_KINDS.map(({ table }) => table)
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), tables.toSorted())
  })
})

for (const kind of LOG_IN_KINDS) {
  describe(`the login of ${kind.title}`, () => {
    const { idleMinutes, hours } = kind

    it('sets a cookie that is sent only to pages of the service, and the database stores its hash', async () => {
      const owner = await kind.make(setup)
      assert.deepEqual(Object.keys(owner.starts), kind.startedBy)
      for (const start of Object.values(owner.starts)) {
        const row = rowOf(kind, assertStarted(kind, await start()))
        assert.equal(await row.read(`${kind.owner}::text`), String(owner.id))
        const seconds = await row.read('extract(epoch from expires_at - created_at)::int')
        assert.equal(seconds, hours * 60 * 60)
        assert.equal(await row.read('last_seen_at = created_at'), true)
      }
    })

    it('never reuses a cookie that the browser sends, and ends its previous login', async () => {
      const owner = await kind.make(setup)
      for (const start of Object.values(owner.starts)) {
        const previous = await another(kind, owner)
        const planted = `${kind.cookie}=${randomBytes(32).toString('base64url')}`
        for (const cookie of [previous, planted]) {
          const next = assertStarted(kind, await start({ cookie }))
          assert.notEqual(next, cookie)
          assert.deepEqual([await isIn(kind, next), await isIn(kind, cookie)], [true, false])
        }
      }
    })

    it('does not end logins of other browsers or other users when it starts', async () => {
      const [owner, other] = [await kind.make(setup), await kind.make(setup)]
      await another(kind, owner)
      assert.deepEqual(
        [await isIn(kind, owner.cookie), await isIn(kind, other.cookie)],
        [true, true],
      )
    })

    it('is found next to a cookie of the other kind, in any order', async () => {
      const { cookie } = await kind.make(setup)
      for (const { cookie: name } of LOG_IN_KINDS.filter((each) => each !== kind)) {
        const others = [`${name}=${randomBytes(32).toString('base64url')}`, `${name}=`]
        for (const other of others) {
          assert.equal(await isIn(kind, `${other}; ${cookie}`), true)
          assert.equal(await isIn(kind, `${cookie}; ${other}`), true)
          assert.equal(await isIn(kind, other), false)
        }
      }
    })

    it('does not come from a cookie whose name another host of the site can set', async () => {
      const { cookie } = await kind.make(setup)
      // Browsers protect only names that begin with __Host-.
      assert.equal(await isIn(kind, `\u00A0${cookie}`), false)
    })

    it(`ends after ${idleMinutes} minutes without a request`, async () => {
      const { cookie } = await kind.make(setup)
      const row = rowOf(kind, cookie)
      await row.set(
        `last_seen_at = now() - interval '${idleMinutes} minutes' + interval '30 seconds'`,
      )
      assert.equal(await isIn(kind, cookie), true)
      await row.set(`last_seen_at = now() - interval '${idleMinutes} minutes'`)
      assert.equal(await isIn(kind, cookie), false)
      assert.equal(await isIn(kind, cookie), false)
    })

    it(`ends after ${hours} hours, whatever its browser requests`, async () => {
      const { cookie } = await kind.make(setup)
      const row = rowOf(kind, cookie)
      await row.set(
        `expires_at = now() + interval '30 seconds', last_seen_at = now() - interval '2 minutes'`,
      )
      const earlier = await row.read('expires_at::text')
      assert.equal(await isIn(kind, cookie), true)
      assert.equal(await row.read('expires_at::text'), earlier)
      await row.set('expires_at = now()')
      assert.equal(await isIn(kind, cookie), false)
    })

    it('is renewed by a request more than a minute after the previous one', async () => {
      const owner = await kind.make(setup)
      const [used, unused] = [owner.cookie, await another(kind, owner)]
      for (const cookie of [used, unused]) {
        await rowOf(kind, cookie).set(`last_seen_at = now() - interval '61 seconds'`)
      }
      const earlier = await rowOf(kind, unused).read('last_seen_at::text')
      assert.equal(await isIn(kind, used), true)
      assert.equal(
        await rowOf(kind, used).read(`last_seen_at > now() - interval '30 seconds'`),
        true,
      )
      assert.equal(await rowOf(kind, unused).read('last_seen_at::text'), earlier)
    })

    it('is not updated by a request within the same minute', async () => {
      const { cookie } = await kind.make(setup)
      const row = rowOf(kind, cookie)
      await row.set(`last_seen_at = now() - interval '20 seconds'`)
      const earlier = await row.read('last_seen_at::text')
      assert.equal(await isIn(kind, cookie), true)
      assert.equal(await row.read('last_seen_at::text'), earlier)
    })

    it('is listed for its owner until it ends, and the current login is marked', async () => {
      const owner = await kind.make(setup)
      const other = await another(kind, owner)
      const idOf = (cookie: string) => rowOf(kind, cookie).read<string>('id::text')
      const [current, id] = [await idOf(owner.cookie), await idOf(other)]
      assert.deepEqual(
        await listed(owner.cookie),
        new Map([
          [current, true],
          [id, false],
        ]),
      )
      for (const end of [
        `last_seen_at = now() - interval '${idleMinutes} minutes'`,
        'last_seen_at = now(), expires_at = now()',
      ]) {
        await rowOf(kind, other).set(end)
        assert.deepEqual(await listed(owner.cookie), new Map([[current, true]]))
      }
    })

    async function listed(cookie: string) {
      const response = await call(kind.list, cookie)
      const { logIns } = response.json<{ logIns: { id: string; isThis: boolean }[] }>()
      return new Map(logIns.map(({ id, isThis }) => [id, isThis]))
    }

    it('ends on logout: the cookie is removed, and other logins continue', async () => {
      const owner = await kind.make(setup)
      const other = await another(kind, owner)
      const response = await call(kind.logOut, owner.cookie)
      assert.equal(response.statusCode, 200)
      assertRemoved(kind, response)
      assert.deepEqual([await isIn(kind, owner.cookie), await isIn(kind, other)], [false, true])
      assert.equal(await rowOf(kind, owner.cookie).read('id::text'), undefined)
    })

    it('ends when its owner ends it from another browser; nobody else can end it', async () => {
      const [owner, stranger] = [await kind.make(setup), await kind.make(setup)]
      const other = await another(kind, owner)
      const id = await rowOf(kind, other).read<string>('id::text')
      assert.equal((await call(kind.endOne, stranger.cookie, { id })).statusCode, 200)
      assert.equal(await isIn(kind, other), true)
      const response = await call(kind.endOne, owner.cookie, { id })
      assert.deepEqual([response.statusCode, response.headers['set-cookie']], [200, undefined])
      assert.deepEqual([await isIn(kind, owner.cookie), await isIn(kind, other)], [true, false])
    })

    const { endOthers } = kind
    if (endOthers) {
      it('continues when its owner ends all other logins, and so do the logins of other users', async () => {
        const [owner, stranger] = [await kind.make(setup), await kind.make(setup)]
        const others = [await another(kind, owner), await another(kind, owner)]
        assert.equal((await call(endOthers, owner.cookie)).statusCode, 200)
        const states = []
        for (const cookie of [owner.cookie, stranger.cookie, ...others]) {
          states.push(await isIn(kind, cookie))
        }
        assert.deepEqual(states, [true, true, false, false])
      })
    }

    it('is deleted by the maintenance after it ends, and not before', async () => {
      const owner = await kind.make(setup)
      const ended = await another(kind, owner)
      await rowOf(kind, ended).set(`expires_at = now() - interval '1 second'`)
      await kind.prune(setup.harness.context)
      assert.equal(await rowOf(kind, ended).read('id::text'), undefined)
      assert.equal(await isIn(kind, owner.cookie), true)
    })
  })
}
