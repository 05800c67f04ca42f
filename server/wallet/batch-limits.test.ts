import { batch as endpoint, type BatchResult } from '@coffer/contract/server/batch'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  assertRefusal,
  call,
  type Fields,
  movesNothing,
  openSetup,
  type Setup,
} from '../test/setup.ts'

function operationOf({ user }: Setup, change: Fields = {}): Fields {
  const reference = { referenceType: 'ORDER', referenceId: randomUUID() }
  return { type: 'debit', serviceUserId: user.serviceUserId, amount: 0.01, ...reference, ...change }
}

async function send(shop: Setup, operations: Fields[]): Promise<BatchResult[]> {
  const response = await call(shop, endpoint, { operations })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ results: BatchResult[] }>().results
}

describe('POST /api/server/wallet/batch', () => {
  it('413 PAYLOAD_TOO_LARGE beyond 512 KiB, and 100 of the longest operations fit', async () => {
    const shop = await openSetup()
    const longest = () => ({
      ...operationOf(shop, { description: 'ä'.repeat(500), referenceType: 'ö'.repeat(64) }),
      referenceId: `${randomUUID()}${'ü'.repeat(219)}`,
    })
    const results = await send(shop, Array.from({ length: 100 }, longest))
    assert(results.every(({ status }) => [200, 400].includes(status)))
    const operations = [operationOf(shop, { colour: 'x'.repeat(512 * 1024) })]
    await movesNothing(shop.harness.admin, async () => {
      const response = await call(shop, endpoint, { operations })
      assertRefusal(response, endpoint, 'PAYLOAD_TOO_LARGE')
      assert.match(response.json().error, /512 KiB/)
    })
    await shop.harness.end()
  })

  it('429 RATE_LIMITED counts a batch as its operations', async () => {
    const limited = await openSetup({ APP_REQUESTS_PER_SECOND: '200' })
    const operations = (count: number) => Array.from({ length: count }, () => operationOf(limited))
    const responses = [100, 99, 100].map((count) =>
      call(limited, endpoint, { operations: operations(count) }),
    )
    const [first, second, third] = await Promise.all(responses)
    assert.deepEqual([first?.statusCode, second?.statusCode], [200, 200])
    assertRefusal(third ?? assert.fail(), endpoint, 'RATE_LIMITED')
    await limited.harness.end()
  })

  it('200 for a batch of more operations than the rate limit allows per second', async () => {
    const limited = await openSetup({ APP_REQUESTS_PER_SECOND: '20' })
    const operations = Array.from({ length: 100 }, () => operationOf(limited))
    const results = await send(limited, operations)
    assert(results.every(({ status }) => status === 200))
    const again = await call(limited, endpoint, { operations: [operationOf(limited)] })
    assertRefusal(again, endpoint, 'RATE_LIMITED')
    await limited.harness.end()
  })
})
