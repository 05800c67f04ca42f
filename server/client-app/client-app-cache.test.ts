import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { createPool } from '../database/connect.ts'
import { makeClientApp } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { createClientAppCache } from './client-app-cache.ts'

describe('remembered client apps', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('are not trusted for longer than a second when the database cannot be reached', async (test) => {
    const { clientId } = await makeClientApp(harness.context)
    const proxy = await startDatabaseProxy(harness.databaseUrl)
    const pool = createPool(proxy.url, { size: 2, barrier: false })
    const clientApps = createClientAppCache(pool)
    test.after(async () => {
      clientApps.close()
      await pool.end()
      await proxy.stop()
    })
    /** A remembered app is returned without a query, so not as a promise. */
    async function lookUp(): Promise<'remembered' | 'read' | 'failed'> {
      const found = clientApps.find(clientId)
      if (!(found instanceof Promise)) return 'remembered'
      return found.then(
        () => 'read',
        () => 'failed',
      )
    }
    async function lookUpUntil(state: 'remembered' | 'failed') {
      for (let tries = 0; (await lookUp()) !== state; tries++) {
        assert(tries < 1_000, `the app is never ${state}`)
        await sleep(10)
      }
    }
    await lookUpUntil('remembered')
    proxy.refuse(true)
    const cutMs = performance.now()
    for (let askedMs = cutMs; (await lookUp()) === 'remembered'; askedMs = performance.now()) {
      assert(askedMs - cutMs <= 1_000, `still trusted ${askedMs - cutMs} ms after the cut`)
      await sleep(10)
    }
    assert.equal(await lookUp(), 'failed')
    proxy.refuse(false)
    await lookUpUntil('remembered')
  })
})
