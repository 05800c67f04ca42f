import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../config.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import { closeConnections, post } from '../test/client.ts'
import {
  spawnService,
  startHarness,
  TEST_PEPPER,
  testEnv,
  type Harness,
  type ServiceProcess,
} from '../test/harness.ts'
import { activateClientApp } from './activate-client-app.ts'
import { authenticateClient } from './authenticate-client.ts'
import { findLiveSecrets, revokeSecretNow, rotateSecret } from './rotate-secret.ts'
import { generateSecret, isSecretShaped } from './secret.ts'

let harness: Harness
let processes: ServiceProcess[]
before(async () => {
  harness = await startHarness()
  processes = await Promise.all([
    spawnService(harness.databaseUrl),
    spawnService(harness.databaseUrl),
  ])
})
after(async () => {
  closeConnections()
  await Promise.all(processes.map((each) => each.kill('SIGINT')))
  await harness.end()
})

const tools = () => ({ db: harness.context.db, peppers: harness.context.config.peppers })

function authenticate(app: Pick<TestApp, 'clientId' | 'clientSecret'>, peppers = tools().peppers) {
  return authenticateClient(harness.context.clientApps, peppers, app)
}

const refused = (attempt: Promise<unknown>) => assert.rejects(attempt, { code: 'INVALID_CLIENT' })

/** The status of both processes for these credentials; 400 means valid credentials and an invalid body. */
async function statuses({ clientId, clientSecret }: Pick<TestApp, 'clientId' | 'clientSecret'>) {
  const calls = processes.map((each) =>
    post(each.url, '/api/server/link/exchange', { clientId, clientSecret }),
  )
  return (await Promise.all(calls)).map((response) => response.status)
}

async function secondsUntil(credentials: TestApp, status: number): Promise<number> {
  const beganMs = performance.now()
  for (;;) {
    if ((await statuses(credentials)).every((each) => each === status)) break
    assert.ok(performance.now() - beganMs < 30_000, 'it took longer than 30 s')
    await sleep(20)
  }
  return (performance.now() - beganMs) / 1000
}

async function measureRevocation(): Promise<number[]> {
  const { db } = harness.context
  const app = await makeClientApp(harness.context)
  const clientSecret = await rotateSecret(tools(), app.clientId, { overlap: '7d' })
  const replaced = { ...app, clientSecret }
  assert.deepEqual(await statuses(app), [400, 400])
  const [oldest] = await findLiveSecrets(db, app.clientId)
  await revokeSecretNow(db, app.clientId, oldest?.id ?? 0n)
  const revoked = await secondsUntil(app, 401)
  assert.deepEqual(await statuses(replaced), [400, 400])
  await activateClientApp(db, app.clientId, false)
  const deactivated = await secondsUntil(replaced, 401)
  await activateClientApp(db, app.clientId, true)
  const activated = await secondsUntil(replaced, 400)
  return [revoked, deactivated, activated].map((each) => Number(each.toFixed(2)))
}

describe('authenticateClient', () => {
  it('accepts the correct secret and nothing else', async () => {
    const app = await makeClientApp(harness.context)
    assert.equal((await authenticate(app)).clientId, app.clientId)
    const { clientId, clientSecret } = app
    for (const wrong of ['', `${clientSecret}x`, clientSecret.slice(1), generateSecret()]) {
      await refused(authenticate({ clientId, clientSecret: wrong }))
    }
    await refused(authenticate({ clientId: 'app_unknown', clientSecret }))
    await refused(authenticate({ clientId: '', clientSecret }))
  })

  it('takes microseconds', async (test) => {
    const app = await makeClientApp(harness.context)
    const rounds: number[] = []
    for (let round = 0; round < 20; round++) {
      const beganMs = performance.now()
      for (let index = 0; index < 1_000; index++) await authenticate(app)
      rounds.push(performance.now() - beganMs)
    }
    // Milliseconds per thousand; the best round had the least disturbance.
    const microseconds = Math.min(...rounds)
    test.diagnostic(`${microseconds.toFixed(1)} µs per authentication`)
    assert.ok(microseconds < 100)
  })

  it('accepts two secrets during a rotation, never three', async () => {
    const app = await makeClientApp(harness.context)
    await authenticate(app)
    const { clientId } = app
    const second = await rotateSecret(tools(), clientId, { overlap: '24h' })
    await sleep(400)
    await authenticate(app)
    await authenticate({ clientId, clientSecret: second })
    const third = await rotateSecret(tools(), clientId, { overlap: '1h' })
    await sleep(400)
    await refused(authenticate(app))
    await authenticate({ clientId, clientSecret: second })
    await authenticate({ clientId, clientSecret: third })
    assert.equal((await findLiveSecrets(harness.context.db, clientId)).length, 2)
    const fourth = await rotateSecret(tools(), clientId, { overlap: 'none' })
    await sleep(400)
    await refused(authenticate({ clientId, clientSecret: third }))
    await authenticate({ clientId, clientSecret: fourth })
  })

  it('rejects the old secret after the overlap', async () => {
    const app = await makeClientApp(harness.context)
    await rotateSecret(tools(), app.clientId, { overlap: '1h' })
    await harness.admin.query(
      `update directory.client_secrets set expires_at = now() + interval '1 second' where expires_at is not null`,
    )
    await sleep(400)
    await authenticate(app)
    await sleep(1_000)
    await refused(authenticate(app))
  })

  it('verifies a secret with the pepper that hashed it', async () => {
    const app = await makeClientApp(harness.context)
    const fresh = `new:${Buffer.alloc(32, 9).toString('base64')}`
    const rotated = readConfig({
      ...testEnv(harness.databaseUrl),
      SECRET_PEPPERS: `${fresh},${TEST_PEPPER}`,
    })
    await authenticate(app, rotated.peppers)
    const unused = await makeClientApp(harness.context)
    const gone = readConfig({ ...testEnv(harness.databaseUrl), SECRET_PEPPERS: fresh })
    await refused(authenticate(unused, gone.peppers))
  })

  it('applies a revocation on both of two processes within a second', async (test) => {
    const attempts: number[] = []
    // A busy machine can delay a response; then the measurement is repeated.
    while (attempts.length < 3 && !(Math.min(...attempts) <= 1)) {
      const times = await measureRevocation()
      test.diagnostic(`seconds until revoked, deactivated, activated: ${times.join(', ')}`)
      attempts.push(Math.max(...times))
    }
    assert.ok(Math.min(...attempts) <= 1)
  })

  it('stores nothing that works as a credential', async () => {
    const app = await makeClientApp(harness.context)
    await makeLinkedUser(harness.context, app)
    const { rows } = await harness.admin.query(
      `select encode(hmac, 'hex') as hex, encode(hmac, 'base64') as base64 from directory.client_secrets`,
    )
    const { clientId } = app
    for (const row of rows) {
      for (const clientSecret of [row.hex, row.base64, `coffer_sk_${row.base64}`] as string[]) {
        await refused(authenticate({ clientId, clientSecret }))
      }
    }
    assert.ok(isSecretShaped(app.clientSecret))
    assert.ok(!isSecretShaped(app.clientSecret.replace(/.$/, 'g')))
  })
})
