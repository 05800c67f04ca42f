import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import { stripeEnv } from '../../../sandbox/stripe-env.ts'
import { readConfig } from '../../config.ts'
import { testEnv } from '../../test/harness.ts'
import { examineClock } from './examine-database.ts'
import { examineProcessor } from './examine-processor.ts'

describe('the clock of this machine', () => {
  afterEach(() => mock.timers.reset())

  function compareWithDatabase(aheadMs: number) {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000_000 + aheadMs })
    const { state, text, fix } = examineClock(1_000_000_000)
    mock.timers.reset()
    return [state, text, fix]
  }

  it('is compared with that of the database', () => {
    assert.deepEqual(compareWithDatabase(1_000), [
      'ok',
      'The clocks of this machine and the database agree.',
      undefined,
    ])
    const [state, text, fix = ''] = compareWithDatabase(-2_500)
    assert.deepEqual(
      [state, text],
      ['warning', 'The clock of this machine is 2.5 s behind that of the database.'],
    )
    assert.match(fix, /^Synchronize both machines with NTP\./)
    assert.deepEqual(compareWithDatabase(600_000).slice(0, 2), [
      'error',
      'The clock of this machine is 600 s ahead of that of the database.',
    ])
  })

  it('is compared with that of the card processor', async () => {
    const sandbox = await startSandbox()
    // The sandbox runs in this process, but Node's HTTP server keeps the real clock.
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 600_000 })
    const config = readConfig({ ...testEnv('postgres://nowhere'), ...stripeEnv(sandbox) })
    const finding = (await examineProcessor(config)).find(({ text }) => text.includes('clock'))
    await sandbox.close()
    assert.equal(finding?.state, 'error')
    // The processor tells whole seconds, and its response takes time.
    assert.match(
      finding?.text ?? '',
      /^The clock of this machine is (599|60[0-3]) s ahead of that of the card processor\.$/,
    )
    assert.match(finding?.fix ?? '', /^Synchronize it with NTP\./)
  })
})
