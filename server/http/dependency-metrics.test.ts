/** What an operator sees in the metrics when something outside the process is slow, full, paused or unreachable. */
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mailsEn } from '../mail/messages-en.ts'
import packageFile from '../package.json' with { type: 'json' }
import { startMailServer, type MailServer } from '../test/mail-server.ts'
import { call } from '../test/setup.ts'
import { openTopupSetup, type TopupSetup } from '../test/topup-setup.ts'
import { watchPause } from '../watch-pause.ts'

describe('the metrics of what the service depends on', () => {
  let setup: TopupSetup
  let mailServer: MailServer
  before(async () => {
    mailServer = await startMailServer()
    setup = await openTopupSetup(mailServer.env)
  })
  after(() => setup.close())

  /** The value of a series; undefined if it does not exist. */
  async function read(series: string): Promise<number | undefined> {
    const { body } = await setup.harness.inject({ method: 'GET', url: '/metrics' })
    const line = body.split('\n').find((each) => each.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.split(' ')[1])
  }

  async function waitFor(series: string, value: number) {
    for (let tries = 0; tries < 1_000 && (await read(series)) !== value; tries++) await sleep(20)
    assert.equal(await read(series), value, series)
  }

  it('name the version', async () => {
    assert.equal(await read(`coffer_build_info{version="${packageFile.version}"}`), 1)
  })

  it('count emails that the mail server accepted, and those that could not be sent', async () => {
    const [sent, failed] = ['sent', 'failed'].map(
      (result) => `coffer_mails_total{result="${result}"}`,
    )
    assert.deepEqual([await read(sent ?? ''), await read(failed ?? '')], [0, 0])
    const { mailer } = setup.harness.context
    mailer?.send('ada@example.com', mailsEn.verificationCode('012345'))
    await waitFor(sent ?? '', 1)
    await mailServer.stop()
    mailer?.send('ada@example.com', mailsEn.verificationCode('012345'))
    await waitFor(failed ?? '', 1)
    assert.equal(await read(sent ?? ''), 1)
  })

  it('count calls to the card processor: accepted, refused, refused by a rate limit, and without a response', async () => {
    const { stripe } = setup.tools.processor
    const counts = () =>
      Promise.all(
        ['ok', 'refused', 'failed'].map((result) =>
          read(`coffer_processor_call_seconds_count{result="${result}"}`),
        ),
      )
    const [ok = 0, refused = 0, failed = 0] = await counts()
    await stripe.paymentIntents.list({ limit: 1 })
    await assert.rejects(stripe.paymentIntents.retrieve('pi_missing'))
    assert.deepEqual(await counts(), [ok + 1, refused + 1, failed])
    setup.sandbox.faults.status429 = { times: 1, route: '*' }
    await assert.rejects(stripe.paymentIntents.list({ limit: 1 }, { maxNetworkRetries: 0 }))
    assert.deepEqual(await counts(), [ok + 1, refused + 1, failed + 1])
    await setup.sandbox.close()
    await assert.rejects(stripe.paymentIntents.list({ limit: 1 }, { maxNetworkRetries: 0 }))
    const [, , unanswered = 0] = await counts()
    // A call on a connection that was closed is repeated at once.
    assert(unanswered > failed + 1)
  })

  it('show whether writes are paused', async () => {
    const { ledger } = setup.harness.context
    for (const isPaused of [true, false]) {
      await ledger.setPause(isPaused ? { by: 'ada@example.com', reason: 'a test' } : null)
      await watchPause(setup.harness.context).stop()
      assert.equal(await read('coffer_writes_paused'), isPaused ? 1 : 0)
    }
  })

  it('show how full every pool of connections is', async () => {
    const { db } = setup.harness.context
    const max = (await read('coffer_pool_connections_max{pool="directory"}')) ?? 0
    for (const pool of ['operators', 'urgent', 'background', 'ledger_reads', 'ledger_searches']) {
      assert(((await read(`coffer_pool_connections_max{pool="${pool}"}`)) ?? 0) > 0, pool)
    }
    const taken = await Promise.all(Array.from({ length: max }, () => db.connect()))
    const waiting = db.connect()
    assert.equal(await read('coffer_pool_connections_used{pool="directory"}'), max)
    assert(((await read('coffer_pool_waiting_requests{pool="directory"}')) ?? 0) >= 1)
    for (const client of taken) client.release()
    ;(await waiting).release()
    await waitFor('coffer_pool_waiting_requests{pool="directory"}', 0)
  })

  it('count requests that were refused because the queue of the ledger was full', async () => {
    const { harness, app, user } = setup
    const refusals = 'coffer_overload_refusals_total{limit="ledger_queue"}'
    const earlier = (await read(refusals)) ?? 0
    const fields = { referenceType: 'FLOOD', amountMinor: 1n, description: null }
    const request = { kind: 'debit', counterAccount: app.ledgerAccount, ...fields } as const
    await harness.admin.query('begin; lock table ledger.wallets in access exclusive mode')
    const flood: Promise<unknown>[] = []
    // More than the share of one client app, while no batch can run.
    for (let sent = 0; sent < 3_000; sent++) {
      const posted = harness.context.ledger.post({
        ...request,
        walletId: user.walletId,
        referenceId: randomUUID(),
      })
      flood.push(posted.catch(() => undefined))
    }
    const { serviceUserId } = user
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    const response = await call(setup, debit, { serviceUserId, amount: 1, ...pair })
    assert.equal(response.statusCode, 503)
    assert.equal(await read(refusals), earlier + 1)
    await harness.admin.query('rollback')
    await Promise.all(flood)
  })
})
