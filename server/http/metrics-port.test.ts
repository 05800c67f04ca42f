/** The attack: anybody on the Internet reads /metrics, which requires no credentials. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { cloneDatabase } from '../test/database.ts'
import { spawnService } from '../test/harness.ts'

describe('METRICS_PORT', () => {
  for (const processes of ['1', '2']) {
    it(`serves /metrics, and nothing else, on its own port with ${processes} processes`, async () => {
      const database = await cloneDatabase()
      const [port = 0] = await findFreePorts(1)
      const env = { METRICS_PORT: String(port), PROCESSES: processes }
      const service = await spawnService(database.url, env)
      const statusOf = async (url: string) => (await fetch(url)).status
      assert.equal(await statusOf(`${service.url}/metrics`), 404)
      assert.equal(await statusOf(`${service.url}/livez`), 200)
      const own = `http://127.0.0.1:${port}`
      const read = async () => (await fetch(`${own}/metrics`)).text()
      // The metrics of all processes are empty until all have started.
      for (let tries = 0; tries < 30 && (await read()) === ''; tries++) await sleep(500)
      assert.match(await read(), /coffer_request_seconds/)
      assert.equal(await statusOf(`${own}/api/account`), 404)
      assert.equal(await statusOf(`${own}/admin`), 404)
      assert.equal(await service.kill('SIGINT'), 0)
      await database.drop()
    })
  }
})
