import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startHarness, type Harness } from '../test/harness.ts'
import { clientConfig } from './connect.ts'
import { ConnectionWatch, SILENT_MS } from './watch-connections.ts'

describe('a watched connection', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
  })
  after(() => harness.end())

  it('may be idle for as long as it wants', async () => {
    const config = clientConfig(harness.databaseUrl)
    const watch = new ConnectionWatch(config)
    const client = new pg.Client(config)
    client.on('error', () => undefined)
    await client.connect()
    watch.add(client)
    await client.query('select 1')
    await sleep(SILENT_MS + 2_500)
    assert.equal(watch.hasSilent, false)
    await client.query('select 1')
    await client.end()
  })
})
