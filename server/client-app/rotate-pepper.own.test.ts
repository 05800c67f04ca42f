/** Replaces a pepper while two processes run: no request fails, and finally nothing depends on the old one. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { readKeys } from '../admin/switches/read-keys.ts'
import { refuseMissingKeys } from '../admin/switches/refuse-missing-keys.ts'
import { readConfig, type Config } from '../config.ts'
import { closeConnections, post, type ServiceResponse } from '../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import {
  spawnService,
  startHarness,
  TEST_PEPPER,
  testEnv,
  type Harness,
  type ServiceProcess,
} from '../test/harness.ts'
import { authenticateClient } from './authenticate-client.ts'
import { findLiveSecrets, revokeSecretNow } from './rotate-secret.ts'

const NEXT = `next:${Buffer.alloc(32, 5).toString('base64')}`

describe('the rotation of the pepper', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  function configWith(SECRET_PEPPERS: string): Config {
    return readConfig({ ...testEnv(harness.databaseUrl), SECRET_PEPPERS })
  }

  async function secretOf({ id }: TestApp) {
    const { rows } = await harness.admin.query<{ pepper_id: string; renewed_from: string | null }>(
      'select pepper_id, renewed_from from directory.client_secrets where client_app_id = $1',
      [id],
    )
    return [rows[0]?.pepper_id, rows[0]?.renewed_from]
  }

  async function readVersion() {
    const { rows } = await harness.admin.query<{ version: string }>(
      'select version from directory.client_app_version',
    )
    return Number(rows[0]?.version)
  }

  /** Authenticates like a process with these peppers, then writes the recorded activity. */
  async function useOn({ peppers }: Config, ...apps: TestApp[]) {
    const { clientApps, appActivity } = harness.context
    for (const app of apps) await authenticateClient(clientApps, peppers, app)
    await appActivity.write()
    await sleep(400)
  }

  it('hashes a used secret again, once, and it still works; unused secrets do not change', async () => {
    const used = [await makeClientApp(harness.context), await makeClientApp(harness.context)]
    const unused = await makeClientApp(harness.context)
    await sleep(400)
    const config = configWith(`${NEXT},${TEST_PEPPER}`)
    const earlier = await readVersion()
    await useOn(config, ...(used as [TestApp, TestApp]))
    assert.equal(await readVersion(), earlier + 1, 'all of them in one step')
    for (const app of used) assert.deepEqual(await secretOf(app), ['next', 'test'])
    assert.deepEqual(await secretOf(unused), ['test', null])
    await useOn(config, ...(used as [TestApp, TestApp]))
    assert.equal(await readVersion(), earlier + 1)
  })

  it('does not alternate while processes disagree on the newest pepper', async () => {
    const app = await makeClientApp(harness.context)
    await useOn(configWith(`${NEXT},${TEST_PEPPER}`), app)
    const earlier = await readVersion()
    for (let round = 0; round < 3; round++) await useOn(configWith(`${TEST_PEPPER},${NEXT}`), app)
    assert.deepEqual(await secretOf(app), ['next', 'test'])
    assert.equal(await readVersion(), earlier)
    const third = `third:${Buffer.alloc(32, 6).toString('base64')}`
    await useOn(configWith(`${third},${NEXT}`), app)
    assert.deepEqual(await secretOf(app), ['third', 'next'])
    await useOn(configWith(`${NEXT},${TEST_PEPPER},${third}`), app)
    assert.deepEqual(await secretOf(app), ['third', 'next'])
  })

  it('hashes nothing again for a wrong secret or for one that was rotated meanwhile', async () => {
    const app = await makeClientApp(harness.context)
    const config = configWith(`${NEXT},${TEST_PEPPER}`)
    const { clientApps, appActivity } = harness.context
    const wrong = { ...app, clientSecret: `${app.clientSecret}x` }
    await assert.rejects(authenticateClient(clientApps, config.peppers, wrong))
    await authenticateClient(clientApps, config.peppers, app)
    await harness.admin.query(
      `update directory.client_secrets set pepper_id = 'other' where client_app_id = $1`,
      [app.id],
    )
    await appActivity.write()
    assert.deepEqual(await secretOf(app), ['other', null])
  })
})

describe('the rotation of the pepper under load, with two processes', () => {
  let harness: Harness
  const live: ServiceProcess[] = []
  const responses: ServiceResponse[] = []
  let reference = 0
  before(async () => {
    harness = await startHarness()
  })
  after(async () => {
    closeConnections()
    await Promise.all(live.map((each) => each.kill('SIGINT')))
    await harness.end()
  })

  /** A rolling restart: each new process serves before its predecessor is stopped. */
  async function roll(SECRET_PEPPERS: string) {
    const spawn = () => spawnService(harness.databaseUrl, { SECRET_PEPPERS })
    for (const [place, fresh] of (await Promise.all([spawn(), spawn()])).entries()) {
      const old = live[place]
      live[place] = fresh
      if (old === undefined) continue
      const { length } = responses
      while (responses.length < length + 60) await sleep(20)
      await old.kill('SIGINT')
    }
  }

  function startLoad(app: TestApp, serviceUserId: string) {
    const over = new AbortController()
    const { clientId, clientSecret } = app
    async function run(lane: number) {
      while (!over.signal.aborted) {
        const pair = { referenceType: 'ORDER', referenceId: `r-${++reference}` }
        const body = { clientId, clientSecret, serviceUserId, amount: 0.01, ...pair }
        const { url } = live[lane % 2] as ServiceProcess
        responses.push(await post(url, '/api/server/wallet/debit', body))
      }
    }
    const lanes = Array.from({ length: 4 }, (_, lane) => run(lane))
    return async () => {
      over.abort()
      await Promise.all(lanes)
    }
  }

  it('fails no request, and allows removing the old pepper when nothing depends on it', async (test) => {
    const app = await makeClientApp(harness.context, { name: 'Busy shop' })
    const silent = await makeClientApp(harness.context, { name: 'Silent shop' })
    const user = await makeLinkedUser(harness.context, app, 1_000_00n)
    await roll(TEST_PEPPER)
    const end = startLoad(app, user.serviceUserId)
    await roll(`${TEST_PEPPER},${NEXT}`)
    await roll(`${NEXT},${TEST_PEPPER}`)
    // Processes write recorded activity when they stop, or within a minute.
    await roll(`${NEXT},${TEST_PEPPER}`)
    const removed = readConfig({ ...testEnv(harness.databaseUrl), SECRET_PEPPERS: NEXT })
    const state = await readKeys({ db: harness.context.db, config: removed })
    assert.deepEqual(
      state.outdatedSecrets.map(({ name }) => name),
      ['Silent shop'],
    )
    await assert.rejects(refuseMissingKeys(removed), (error: Error) => {
      assert.match(error.message, /SECRET_PEPPERS is missing test\..*rejected: Silent shop \(app_/)
      assert.match(error.message, /ALLOW_MISSING_KEYS=true/)
      return !error.message.includes('Busy shop')
    })
    await refuseMissingKeys({ ...removed, allowMissingKeys: true })
    const [secret] = await findLiveSecrets(harness.context.db, silent.clientId)
    await revokeSecretNow(harness.context.db, silent.clientId, secret?.id ?? 0n)
    await roll(NEXT)
    const { length } = responses
    while (responses.length < length + 100) await sleep(20)
    await end()
    test.diagnostic(`${responses.length} debits`)
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  })
})
