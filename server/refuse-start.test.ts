import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { readConfig } from './config.ts'
import { refusePublicMetrics } from './refuse-start.ts'
import { spawnService, startHarness, testEnv, type Harness } from './test/harness.ts'

describe('coffer serve with a schema of another version', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('starts with a newer one, so that the schema can be migrated before the processes', async () => {
    await harness.admin.query(
      `insert into public.migrations (name, run_on) values ('9999-later', now())`,
    )
    const service = await spawnService(harness.databaseUrl)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    assert.equal(await service.kill('SIGINT'), 0)
  })

  it('does not start with an older one, and reports what to do', async () => {
    await harness.admin.query(`delete from public.migrations where name = '0006-admin'`)
    assert.match(await failToServe(), /lacks 0006-admin\.\nRun coffer migrate as the owner/)
    await harness.admin.query('revoke select on public.migrations from coffer_service')
    assert.match(await failToServe(), /lacks 0001-ledger, 0002-books, /)
  })

  function failToServe(): Promise<string> {
    const script = fileURLToPath(new URL('coffer.ts', import.meta.url))
    const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), PORT: '0' }
    return new Promise((resolve, reject) => {
      const options = { env, timeout: 15_000, killSignal: 'SIGKILL' } as const
      execFile(process.execPath, [script, 'serve'], options, (error, stdout, stderr) =>
        error?.code === 1 ? resolve(stderr) : reject(new Error(`it started: ${stdout}`)),
      )
    })
  }
})

describe('coffer serve with live keys of the card processor', () => {
  const config = readConfig(testEnv('postgres://nobody@127.0.0.1/none'))
  const stripe = (isTest: boolean) => ({ isTest }) as NonNullable<typeof config.stripe>

  it('does not start with the metrics on the public port', () => {
    assert.throws(
      () => refusePublicMetrics({ ...config, stripe: stripe(false), metricsPort: undefined }),
      /METRICS_PORT is missing/,
    )
  })

  it('starts with a port for the metrics, and with test keys without one', () => {
    refusePublicMetrics({ ...config, stripe: stripe(false), metricsPort: 9464 })
    refusePublicMetrics({ ...config, stripe: stripe(true), metricsPort: undefined })
  })
})
