/** PostgreSQL translates the severity of its messages; only SQLSTATE codes are the same everywhere. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { TemporaryPostgres } from '../../../scripts/temporary-postgres.ts'
import { migrate } from '../../database/migrate.ts'
import { ServiceError } from '../../service-error.ts'
import { startGermanPostgres, whyNoGermanPostgres } from '../../test/german-postgres.ts'
import { connectAdmin } from '../../test/harness.ts'
import { Ledger } from '../ledger.ts'
import { BONUS_ACCOUNT } from '../types.ts'

const skip = whyNoGermanPostgres()

describe('a server with German messages', { skip }, () => {
  let postgres: TemporaryPostgres
  let admin: pg.Client
  let ledger: Ledger
  let walletId: bigint

  before(async () => {
    postgres = await startGermanPostgres()
    await migrate(postgres.url, () => undefined)
    admin = await connectAdmin(postgres.url)
    ledger = new Ledger({ databaseUrl: postgres.url, deadlineMs: 3_000 })
    walletId = await ledger.openWallet()
  })

  after(async () => {
    await setStandby('')
    await ledger.close()
    await admin.end()
    await postgres.stop()
  })

  function post(referenceId: string): Promise<string> {
    const pair = { referenceType: 'TEST', referenceId, description: null }
    const work = ledger.post({
      kind: 'bonus',
      walletId,
      amountMinor: 1n,
      counterAccount: BONUS_ACCOUNT,
      ...pair,
    })
    return work.then(
      () => 'acknowledged',
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    )
  }

  async function setStandby(name: string) {
    await admin.query(`alter system set synchronous_standby_names = '${name}'`)
    await admin.query('select pg_reload_conf()')
    await sleep(300)
  }

  async function signalWaitingCommit(signal: 'pg_cancel_backend' | 'pg_terminate_backend') {
    for (let tries = 0; tries < 200; tries++) {
      const { rowCount } = await admin.query(
        `select ${signal}(pid) from pg_stat_activity
         where wait_event = 'SyncRep' and application_name = 'coffer'`,
      )
      if (rowCount) return
      await sleep(50)
    }
    assert.fail('no commit waits for the standby')
  }

  it('sends German messages', async () => {
    await assert.rejects(admin.query('select 1/0'), { severity: 'FEHLER', code: '22012' })
  })

  for (const signal of ['pg_cancel_backend', 'pg_terminate_backend'] as const) {
    it(`OUTCOME_UNKNOWN if ${signal} interrupts a commit that waits for its standby`, async () => {
      assert.equal(await post(`${signal} before`), 'acknowledged')
      await setStandby('nobody')
      const result = post(signal)
      await signalWaitingCommit(signal)
      assert.equal(await result, 'OUTCOME_UNKNOWN')
      await setStandby('')
      assert.equal(await post(signal), 'acknowledged')
    })
  }
})
