import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as switchesEndpoints from '@coffer/contract/admin/switches'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../config.ts'
import * as refusals from '../../test/refusals.ts'
import {
  ADMIN_ENV,
  askAs,
  auditOf,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { testEnv } from '../../test/harness.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'
import { readKeys } from './read-keys.ts'

interface Pause {
  at: string
  by: string
  reason: string
}

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

const NOBODYS = 'app_000000000000000000000000'
const REASON = 'The disk is nearly full'

async function readPause(): Promise<Pause | null> {
  const response = await askAs(setup, setup.viewer, switchesEndpoints.readSwitches)
  return response.json<{ pause: Pause | null }>().pause
}

describe('POST /api/admin/switches/pause', () => {
  const endpoint = switchesEndpoints.pauseWrites
  const fieldsOf = () => ({ isPaused: true, reason: REASON })

  it('200 pauses and resumes, returns the operator and the reason, and adds audit entries', async () => {
    const { owner } = setup
    const earlier = (await auditOf(setup, 'all writes')).length
    for (const fields of [fieldsOf(), { isPaused: false }]) {
      assert.equal((await askAs(setup, owner, endpoint, fields)).statusCode, 200)
      const pause = await readPause()
      if (!fields.isPaused) assert.equal(pause, null)
      else assert.deepEqual([pause?.by, pause?.reason], [owner.email, REASON])
    }
    const entries = (await auditOf(setup, 'all writes')).slice(earlier)
    const on = { isPaused: true, reason: REASON }
    const off = { isPaused: false, reason: null }
    assert.deepEqual(
      entries.map(({ actor, action, before: was, after: is }) => [actor, action, was, is]),
      [
        [owner.email, 'writes.pause', off, on],
        [owner.email, 'writes.pause', on, off],
      ],
    )
  })

  it('400 INVALID_REQUEST for invalid fields and for a pause without a reason', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['isPaused', 'yes'],
      ['isPaused', undefined],
      ['reason', undefined],
      ['reason', ''],
      ['reason', '   '],
      ['reason', 'a\u0000bc'],
      ['reason', 'x'.repeat(501)],
    ]))
})

describe('POST /api/admin/switches/client-app', () => {
  const endpoint = switchesEndpoints.pauseClientApp
  const fieldsOf = ({ app }: AdminSetup) => ({
    clientId: app.clientId,
    isPaused: true,
    reason: REASON,
  })

  async function isListedAsPaused(clientId: string) {
    const { listClientApps } = clientAppsEndpoints
    const filters = { state: 'paused', search: clientId }
    const list = await askAs(setup, setup.viewer, listClientApps, filters)
    return list.json<{ clientApps: object[] }>().clientApps.length === 1
  }

  it('200 pauses and resumes one app, which stays active, and adds audit entries', async () => {
    const { operator, viewer, harness } = setup
    const { clientId } = await makeClientApp(harness.context)
    for (const isPaused of [true, false]) {
      const fields = { clientId, isPaused, ...(isPaused && { reason: REASON }) }
      assert.equal((await askAs(setup, operator, endpoint, fields)).statusCode, 200)
      assert.equal(await isListedAsPaused(clientId), isPaused)
      const read = await askAs(setup, viewer, clientAppsEndpoints.readClientApp, { clientId })
      const app = read.json<{ isActive: boolean; pause: Pause | null }>()
      assert.equal(app.isActive, true)
      if (!isPaused) assert.equal(app.pause, null)
      else assert.deepEqual([app.pause?.by, app.pause?.reason], [operator.email, REASON])
    }
    assert.equal(await readPause(), null)
    const on = { isPaused: true, reason: REASON }
    const off = { isPaused: false, reason: null }
    assert.deepEqual(
      (await auditOf(setup, clientId)).map(({ action, before: was, after: is }) => [
        action,
        was,
        is,
      ]),
      [
        ['client_app.pause', off, on],
        ['client_app.pause', on, off],
      ],
    )
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const fields = { ...fieldsOf(setup), clientId: NOBODYS }
    await changesNothing(setup, async () => {
      assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
    })
  })

  it('400 INVALID_REQUEST for invalid fields and for a pause without a reason', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['isPaused', 1],
      ['reason', undefined],
      ['reason', 'no'],
      ['clientId', 5],
    ]))
})

describe('GET /api/admin/switches/keys', () => {
  const endpoint = switchesEndpoints.readKeys

  it('200 returns how many secrets each key protects, and no key', async () => {
    const response = await askAs(setup, setup.viewer, endpoint)
    const { rows } = await setup.harness.admin.query<{ count: number }>(
      'select count(*)::int as count from directory.client_secrets',
    )
    const count = rows[0]?.count
    const test = { id: 'test', isNewest: true, isKnown: true }
    assert.deepEqual(response.json(), {
      peppers: [{ ...test, liveSecrets: count, clientApps: count, webhooks: 0 }],
      outdatedSecrets: [],
      adminKeys: [{ ...test, authenticators: 3, recoveryCodes: 3 }],
    })
    const { peppers, adminKeys = [] } = setup.harness.context.config
    for (const { key } of [...peppers, ...adminKeys]) {
      assert(!response.body.includes(key.toString('base64')))
    }
  })

  it('200 lists secrets with an older key, and keys that are used but not configured', async () => {
    const { harness, app } = setup
    const key = (id: string) => `${id}:${Buffer.alloc(32, 3).toString('base64')}`
    const config = readConfig({
      ...testEnv(harness.databaseUrl),
      ...ADMIN_ENV,
      SECRET_PEPPERS: `${key('next')},${key('spare')}`,
    })
    const state = await readKeys({ db: harness.context.db, config })
    assert.deepEqual(
      state.peppers.map(({ id, isNewest, isKnown, liveSecrets }) => [
        id,
        isNewest,
        isKnown,
        liveSecrets > 0,
      ]),
      [
        ['next', true, true, false],
        ['spare', false, true, false],
        ['test', false, false, true],
      ],
    )
    const outdatedSecrets = state.outdatedSecrets.find(({ clientId }) => clientId === app.clientId)
    const about = { name: 'Corner shop', isActive: true, pepperId: 'test', lastUsedAt: null }
    assert.deepEqual(outdatedSecrets, { clientId: app.clientId, ...about })
  })
})
