import { readEvents } from '@coffer/contract/server/events'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { startTemporaryPostgres } from '../../../scripts/temporary-postgres.ts'
import { readConfig } from '../../config.ts'
import { migrate } from '../../database/migrate.ts'
import { createLog } from '../../http/create-log.ts'
import { startService } from '../../start-service.ts'
import { addToOutbox } from '../../test/events/feed-setup.ts'
import { openWebhook, WEBHOOK_ENV } from '../../test/events/webhook-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { connectAdmin, testEnv } from '../../test/harness.ts'

/** Repeats a query until it returns a row. */
async function until(admin: pg.Client, sql: string) {
  for (let tries = 0; tries < 400; tries++) {
    const { rowCount } = await admin.query(sql)
    if (rowCount) return
    await sleep(25)
  }
  assert.fail(`no row: ${sql}`)
}

const CANCEL_WAITING = `select pg_cancel_backend(pid) from pg_stat_activity
  where wait_event = 'SyncRep' and application_name = 'coffer'`

describe('the feed and webhooks', () => {
  it('report no event that the standby may not have', async (test) => {
    const postgres = await startTemporaryPostgres({})
    test.after(() => postgres.stop())
    await migrate(postgres.url, () => undefined)
    const admin = await connectAdmin(postgres.url)
    // Its own commits do not wait.
    await admin.query('set synchronous_commit = local')
    const log = createLog('fatal', { write: () => undefined })
    const service = await startService(readConfig({ ...testEnv(postgres.url), ...WEBHOOK_ENV }), {
      log,
    })
    const app = await makeClientApp(service.context)
    const { receiver } = await openWebhook(service, { app })
    test.after(() => receiver.close())
    const authorization = `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}`
    const read = () =>
      service.app.inject({ url: readEvents.path, headers: { authorization }, method: 'GET' })
    assert.equal((await read()).statusCode, 200)

    // A standby that never connects: every commit waits for it.
    await admin.query(`alter system set synchronous_standby_names = 'nobody'`)
    await admin.query('select pg_reload_conf()')
    await sleep(300)
    await addToOutbox(admin, app, 'su_1')
    await until(
      admin,
      `select from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'coffer'`,
    )
    // Cancelling a waiting session makes its commit visible without being replicated. Others may wait beside the
    // projector.
    const isNumbered = 'select from events.feeds where last_sequence = 1'
    while ((await admin.query(isNumbered)).rowCount === 0) {
      await admin.query(CANCEL_WAITING)
      await sleep(25)
    }
    const response = read()
    const early = await Promise.race([response.then(() => 'done'), sleep(1_000, 'silent')])
    assert.equal(early, 'silent')
    assert.deepEqual(receiver.received, [])

    await admin.query('alter system reset synchronous_standby_names')
    await admin.query('select pg_reload_conf()')
    const { events } = (await response).json<{ events: { data: unknown }[] }>()
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ serviceUserId: 'su_1' }],
    )
    await receiver.untilReceived(1)
    await service.stop()
    await admin.end()
  })
})
