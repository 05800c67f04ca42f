/** A network can lose a connection without closing it: packets are dropped, and neither end is notified. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import {
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '../../../scripts/temporary-postgres.ts'
import { migrate } from '../../database/migrate.ts'
import { SILENT_MS } from '../../database/watch-connections.ts'
import { ServiceError } from '../../service-error.ts'
import { connectAdmin, startHarness, type Harness } from '../../test/harness.ts'
import { startDatabaseProxy } from '../../test/database-proxy.ts'
import { Ledger } from '../ledger.ts'
import { PROCESSOR_ACCOUNT, type LedgerRequest } from '../types.ts'

const RECOVERED_WITHIN_MS = 15_000
const OPTIONS = { concurrency: true, timeout: 120_000 }

function bonus(walletId: bigint, referenceId: string): LedgerRequest {
  return {
    walletId,
    counterAccount: PROCESSOR_ACCOUNT,
    kind: 'bonus',
    amountMinor: 1n,
    referenceType: 'SILENT',
    referenceId,
    description: null,
  }
}

describe('the ledger, when its connections become silent and new ones work', OPTIONS, () => {
  let harness: Harness

  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  async function openBehindProxy() {
    const proxy = await startDatabaseProxy(harness.databaseUrl)
    const errors: string[] = []
    const onError = (_message: string, error: unknown) => void errors.push(inspect(error))
    const ledger = new Ledger({ databaseUrl: proxy.url, onError })
    const walletId = await ledger.openWallet()
    const post = (referenceId: string) => ledger.post(bonus(walletId, referenceId))
    const close = async () => {
      await ledger.close()
      await proxy.stop()
    }
    return { proxy, errors, ledger, walletId, post, close }
  }

  it('writes and reads again within 15 s, and executes every reference once', async () => {
    const { proxy, ledger, errors, walletId, post, close } = await openBehindProxy()
    await Promise.all([post('first'), ledger.readWallet(walletId)])
    proxy.mute()
    const mutedMs = performance.now()
    const lost = post('lost').catch((error: unknown) => error)
    const reading = ledger.readWallet(walletId).catch((error: unknown) => error)
    const error = await lost
    assert(error instanceof ServiceError)
    assert.equal(error.code, 'OUTCOME_UNKNOWN')
    await reading
    while ((await post('lost').catch(() => undefined)) === undefined) {
      assert(performance.now() - mutedMs < 60_000, 'writes do not resume')
    }
    const wallet = await ledger.readWallet(walletId)
    assert(performance.now() - mutedMs < RECOVERED_WITHIN_MS)
    assert.equal(wallet?.balance, 2n)
    assert.match(errors.join('\n'), /the server did not respond for 10 s/)
    await close()
  })

  it('reports a silent connection until it is replaced', async () => {
    const { proxy, ledger, post, close } = await openBehindProxy()
    await post('before')
    assert.equal(ledger.hasSilentConnection, false)
    proxy.lose('127.0.0.1')
    const lost = post('silent').catch(() => undefined)
    while (!ledger.hasSilentConnection) await sleep(100)
    proxy.lose(undefined)
    await lost
    while (ledger.hasSilentConnection) await sleep(100)
    await post('silent')
    await close()
  })
})

describe('a commit that waits for its standby', OPTIONS, () => {
  let postgres: TemporaryPostgres

  before(async () => {
    postgres = await startTemporaryPostgres({ settings: { fsync: 'off' } })
    await migrate(postgres.url, () => undefined)
  })
  after(() => postgres.stop())

  it('is not treated as a silent connection', async () => {
    const admin = await connectAdmin(postgres.url)
    const setNames = async (names: string) => {
      await admin.query(`alter system set synchronous_standby_names = '${names}'`)
      await admin.query('select pg_reload_conf()')
    }
    const listWaiting = async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'coffer' and wait_event = 'SyncRep'`,
      )
      return rows.map(({ pid }) => pid)
    }
    const errors: string[] = []
    const onError = (message: string) => void errors.push(message)
    const ledger = new Ledger({ databaseUrl: postgres.url, deadlineMs: 110_000, onError })
    const walletId = await ledger.openWallet()
    await setNames('absent')
    // The server applies the setting a moment later.
    const posted: Promise<unknown>[] = []
    while ((await listWaiting()).length === 0) {
      posted.push(ledger.post(bonus(walletId, `${posted.length}`)))
      await Promise.race([posted.at(-1), sleep(500)])
    }
    const waiting = await listWaiting()
    await sleep(SILENT_MS + 5_000)
    assert.deepEqual(await listWaiting(), waiting)
    assert.equal(ledger.hasSilentConnection, false)
    await setNames('')
    await Promise.all(posted)
    assert.equal((await ledger.readWallet(walletId))?.balance, BigInt(posted.length))
    assert.deepEqual(errors, [])
    await ledger.close()
    await admin.end()
  })
})
