import { batch as endpoint } from '@coffer/contract/server/batch'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { closeConnections, post } from '../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import { spawnService, startHarness, type Harness, type ServiceProcess } from '../test/harness.ts'

let harness: Harness
let processes: ServiceProcess[]
let app: TestApp

before(async () => {
  harness = await startHarness()
  processes = [await spawnService(harness.databaseUrl), await spawnService(harness.databaseUrl)]
  app = await makeClientApp(harness.context)
})

after(async () => {
  closeConnections()
  await Promise.all(processes.map((each) => each.kill('SIGINT')))
  await harness.end()
})

describe('batches of two processes', () => {
  it('overlapping batches on both, in opposite order: every operation once, equal results', async () => {
    const users = await Promise.all(
      Array.from({ length: 10 }, () => makeLinkedUser(harness.context, app, 10_000n)),
    )
    const { clientId, clientSecret } = app
    const operations = Array.from({ length: 100 }, (_, index) => {
      const { serviceUserId } = users[index % 10] as { serviceUserId: string }
      const pair = { referenceType: 'ORDER_PAYMENT', referenceId: randomUUID() }
      return { type: 'debit', serviceUserId, amount: 0.01, ...pair }
    })
    const send = async (index: number) => {
      const sent = index % 2 ? operations.toReversed() : operations
      const { status, text } = await post(
        (processes[index % 2] as ServiceProcess).url,
        endpoint.path,
        {
          clientId,
          clientSecret,
          operations: sent,
        },
      )
      assert.equal(status, 200)
      const { results } = JSON.parse(text) as {
        results: { status: number; transactionId: string; idempotencyReplayed?: true }[]
      }
      return index % 2 ? results.toReversed() : results
    }
    const all = await Promise.all([0, 1, 2, 3].map(send))
    for (const [index] of operations.entries()) {
      const results = all.map((each) => each[index])
      assert(results.every((each) => each?.status === 200))
      assert.equal(new Set(results.map((each) => each?.transactionId)).size, 1)
      assert.equal(results.filter((each) => each?.idempotencyReplayed).length, 3)
    }
    for (const { walletId } of users) {
      assert.equal((await harness.context.ledger.readWallet(walletId))?.balance, 9_990n)
    }
  })
})
