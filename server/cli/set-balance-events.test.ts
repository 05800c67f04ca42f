import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { startHarness, testEnv, type Harness } from '../test/harness.ts'

describe('coffer client-app balance-events', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))

  function clientApp(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl) }
    return new Promise((resolve) => {
      execFile(process.execPath, [script, 'client-app', ...args], { env }, (_, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
  }

  it('turns the event balance.changed on and off, and records it', async () => {
    const { admin } = harness
    const output = await clientApp('create', 'Shop', '--credit-limit', '1', '--balance-events')
    const clientId = /COFFER_CLIENT_ID=(app_[0-9a-f]{24})/.exec(output)?.[1] ?? assert.fail(output)
    const isOn = async () => {
      const { rows } = await admin.query<{ is_on: boolean }>(
        'select balance_events_since is not null as is_on from directory.client_apps where client_id = $1',
        [clientId],
      )
      return rows[0]?.is_on
    }
    assert.equal(await isOn(), true)
    assert.match(await clientApp('balance-events', clientId, 'off'), /no longer gets/)
    assert.equal(await isOn(), false)
    assert.match(await clientApp('balance-events', clientId, 'on'), /now gets the event/)
    assert.equal(await isOn(), true)
    assert.match(await clientApp('balance-events', clientId, 'maybe'), /Use on or off/)
    assert.match(await clientApp('balance-events', 'app_unknown', 'on'), /app_unknown not found/)
    const { rows } = await admin.query<{ after: object }>(
      `select after from admin.audit where subject = $1 and action = 'client_app.change' order by id`,
      [clientId],
    )
    assert.deepEqual(
      rows.map(({ after: each }) => each),
      [{ getsBalanceEvents: false }, { getsBalanceEvents: true }],
    )
  })
})
