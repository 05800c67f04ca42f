import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { spawnService, startHarness, type Harness } from '../server/test/harness.ts'
import { createCoffer } from './coffer.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

describe('a service that is killed and started again', () => {
  it('executes every debit that was in progress exactly once', async () => {
    const first = await spawnService(harness.databaseUrl)
    const { port } = new URL(first.url)
    const app = await makeClientApp(harness.context)
    const { serviceUserId } = await makeLinkedUser(harness.context, app, 100_00n)
    const { clientId, clientSecret } = app
    let lost = 0
    const coffer = createCoffer({
      serviceUrl: first.url,
      clientId,
      clientSecret,
      retries: 100,
      deadlineMs: 300_000,
      fetch: (url, init) =>
        fetch(url, init).catch((error: unknown) => {
          lost++
          throw error
        }),
    })
    const DEBITS = 640
    const enough = Promise.withResolvers<void>()
    let sent = 0
    async function pay() {
      while (sent < DEBITS) {
        const reference = { referenceType: 'KILLED', referenceId: `${++sent}` }
        await coffer.debit({ serviceUserId, amount: 0.01, ...reference })
        if (sent > DEBITS / 4) enough.resolve()
      }
    }
    const payers = Array.from({ length: 16 }, pay)
    await enough.promise
    await first.kill('SIGKILL')
    const second = await spawnService(harness.databaseUrl, { PORT: port })
    await Promise.all(payers)
    await second.kill('SIGINT')
    const { rows } = await harness.admin.query(
      `select count(*)::int as count, count(distinct reference_id)::int as pairs
         from ledger.operations where reference_type = 'KILLED'`,
    )
    assert(lost >= 16, `only ${lost} attempts were lost`)
    assert.deepEqual(rows, [{ count: sent, pairs: sent }])
  })
})
