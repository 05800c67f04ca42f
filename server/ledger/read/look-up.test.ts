/** A lookup must not miss a decision that is being committed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import {
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '../../../scripts/temporary-postgres.ts'
import { migrate } from '../../database/migrate.ts'
import { connectAdmin } from '../../test/harness.ts'
import { Ledger } from '../ledger.ts'
import { BONUS_ACCOUNT, type LedgerRequest } from '../types.ts'

describe('a lookup during a commit that waits for its standby', () => {
  let postgres: TemporaryPostgres
  let admin: pg.Client
  let posting: Ledger
  let reading: Ledger
  let walletId: bigint

  before(async () => {
    postgres = await startTemporaryPostgres({ settings: { fsync: 'off' } })
    await migrate(postgres.url, () => undefined)
    admin = await connectAdmin(postgres.url)
    posting = new Ledger({ databaseUrl: postgres.url })
    reading = new Ledger({ databaseUrl: postgres.url })
    walletId = await posting.openWallet()
  })

  after(async () => {
    await setStandby('')
    await Promise.all([posting.close(), reading.close()])
    await admin.end()
    await postgres.stop()
  })

  function bonus(referenceId: string): LedgerRequest {
    const pair = { referenceType: 'TEST', referenceId, description: null }
    return { kind: 'bonus', walletId, amountMinor: 1n, counterAccount: BONUS_ACCOUNT, ...pair }
  }

  async function setStandby(name: string) {
    await admin.query(`alter system set synchronous_standby_names = '${name}'`)
    await admin.query('select pg_reload_conf()')
    await sleep(300)
  }

  /** Posts, looks up from another process while the commit waits, and then lets the commit finish. */
  async function lookUpDuringCommit<Found>(
    request: LedgerRequest,
    lookUp: () => Promise<Found>,
  ): Promise<Found> {
    // Both open their connections before commits have to wait.
    await posting.post(bonus(`${request.referenceId} before`))
    await lookUp()
    await setStandby('nobody')
    const posted = posting.post(request)
    await sleep(500)
    const found = lookUp()
    await sleep(500)
    await setStandby('')
    assert.equal((await posted).decision.refusal, null)
    return found
  }

  it('finds the decision by its pair alone', async () => {
    const lookUp = () => reading.findServiceDecision('TEST', 'pair')
    const found = await lookUpDuringCommit(bonus('pair'), lookUp)
    assert.equal(found?.amountMinor, 1n)
  })

  it('finds the decision for a repeat whose wallet is known', async () => {
    const request = bonus('wallet')
    const found = await lookUpDuringCommit(request, () => reading.replay(request))
    assert.equal(found?.replayed, true)
  })

  it('finds the decision for a repeat whose wallet is unknown', async () => {
    const request = bonus('no wallet')
    const found = await lookUpDuringCommit(request, () =>
      reading.replay({ ...request, walletId: null }),
    )
    assert.deepEqual(found?.mismatch, ['serviceUserId'])
  })

  it('waits for a batch that has locked the wallet but not written yet', async () => {
    const request = bonus('locked')
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [walletId])
    const replayed = reading.replay(request)
    const early = await Promise.race([replayed.then(() => 'done'), sleep(500).then(() => 'waits')])
    await admin.query('rollback')
    assert.equal(early, 'waits')
    assert.equal(await replayed, undefined)
  })

  it('writes nothing if there is nothing to find', async () => {
    assert.equal(await reading.findServiceDecision('TEST', 'none'), undefined)
    assert.equal(await reading.replay({ ...bonus('none'), walletId: null }), undefined)
    const { rows } = await admin.query('select from ledger.operation_keys where seq = 0')
    assert.equal(rows.length, 0)
  })
})
