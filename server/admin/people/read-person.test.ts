import * as endpoints from '@coffer/contract/admin/people'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link, unlink } from '../../identity/link.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeClientApp, makeUser } from '../../test/factories.ts'
import { makePerson } from '../../test/account-setup.ts'
import { givePersonPasskey } from '../../test/passkey-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

describe('GET /api/admin/people/one', () => {
  const endpoint = endpoints.readPerson
  const read = async (id: bigint) => {
    const response = await askAs(setup, setup.viewer, endpoint, { id: String(id) })
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  it('200 returns the wallet, the apps with their ids, the newest top-ups and the logins', async () => {
    const { harness } = setup
    const { context } = harness
    const shop = await makeClientApp(context, { name: 'Flower shop' })
    const person = await makePerson(harness, 5_00n)
    await givePersonPasskey(setup, person)
    const ended = await link(context.db, setup.app.id, person.id)
    await unlink(context.db, setup.app.id, person.id)
    const live = await link(context.db, shop.id, person.id)
    for (let n = 1; n <= 12; n++) {
      await harness.admin.query(
        `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, status, created_at)
          values ($1, $2, $3, $4, 'credited', now() - make_interval(hours => $5))`,
        [person.id, person.walletId, shop.id, n * 100, n],
      )
    }
    await context.ledger.post({
      kind: 'seizure',
      referenceType: 'DISPUTE',
      referenceId: randomUUID(),
      walletId: person.walletId,
      amountMinor: 7_50n,
      counterAccount: 1,
      description: null,
    })
    const { createdAt, lastSeenAt, apps, topups, ...rest } = await read(person.id)
    assert.deepEqual(rest, {
      id: String(person.id),
      firstName: 'Ada',
      lastName: 'Example',
      email: person.email,
      balance: 0,
      isActive: true,
      isEmailVerified: true,
      walletId: String(person.walletId),
      debt: 2.5,
      held: 0,
      holds: [],
      currency: 'USD',
      entries: 2,
      archivedBefore: null,
      logIns: 1,
      passkeys: 1,
    })
    assert(Date.parse(createdAt) <= Date.parse(lastSeenAt))
    type App = { serviceUserId: string; name: string; clientId: string; endedAt: string | null }
    assert.deepEqual(
      apps.map(({ serviceUserId, name, clientId, endedAt }: App) => [
        serviceUserId,
        name,
        clientId,
        endedAt !== null,
      ]),
      [
        [live, 'Flower shop', shop.clientId, false],
        [ended, 'Corner shop', setup.app.clientId, true],
      ],
    )
    assert.deepEqual(
      topups.map(({ amount, state }: { amount: number; state: string }) => [amount, state]),
      Array.from({ length: 10 }, (_, n) => [n + 1, 'credited']),
    )
  })

  it('200 does not count an expired login, but uses it for the time when the person was last seen', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    await harness.admin.query(
      `update directory.log_ins set last_seen_at = '2026-01-02T03:04:05Z' where service_user_id = $1`,
      [person.id],
    )
    const { logIns, lastSeenAt } = await read(person.id)
    assert.deepEqual([logIns, lastSeenAt], [0, '2026-01-02T03:04:05.000Z'])
  })

  it('200 sees a person who uses only the widget', async () => {
    const { harness } = setup
    const { context, admin } = harness
    const { id, walletId } = await makeUser(context)
    const times = async () => {
      const { logIns, lastSeenAt } = await read(id)
      return [logIns, lastSeenAt]
    }
    assert.deepEqual(await times(), [0, null])
    await link(context.db, setup.app.id, id)
    await admin.query(
      `update directory.links set created_at = '2026-01-02T03:04:05Z' where service_user_id = $1`,
      [id],
    )
    assert.deepEqual(await times(), [0, '2026-01-02T03:04:05.000Z'])
    await admin.query(
      `update directory.links set agreed_at = '2026-02-02T03:04:05Z' where service_user_id = $1`,
      [id],
    )
    assert.deepEqual(await times(), [0, '2026-02-02T03:04:05.000Z'])
    await admin.query(
      `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, created_at)
        values ($1, $2, $3, 100, '2026-03-02T03:04:05Z')`,
      [id, walletId, setup.app.id],
    )
    assert.deepEqual(await times(), [0, '2026-03-02T03:04:05.000Z'])
    // The person does nothing for an automatic top-up.
    await admin.query(
      `insert into directory.topups (service_user_id, wallet_id, amount, created_at, is_automatic)
        values ($1, $2, 200, '2026-04-02T03:04:05Z', true)`,
      [id, walletId],
    )
    assert.deepEqual(await times(), [0, '2026-03-02T03:04:05.000Z'])
    const { topups } = await read(id)
    const flags = topups.map(({ isAutomatic }: { isAutomatic: boolean }) => isAutomatic)
    assert.deepEqual(flags, [true, false])
  })

  it('200 returns the wallet of an erased person without personal data', async () => {
    const { id } = await makeUser(setup.harness.context)
    await setup.harness.admin.query('delete from directory.people where service_user_id = $1', [id])
    const shown = await read(id)
    const { firstName, lastName, email, isEmailVerified, balance, lastSeenAt } = shown
    assert.deepEqual(
      [firstName, lastName, email, isEmailVerified, balance, lastSeenAt],
      [null, null, null, false, 0, null],
    )
  })

  it('404 NOT_FOUND for an unknown person', async () => {
    for (const id of ['999999999', '0', '9'.repeat(18)]) {
      const response = await askAs(setup, setup.viewer, endpoint, { id })
      assertRefusal(response, endpoint, 'NOT_FOUND')
    }
  })
})
