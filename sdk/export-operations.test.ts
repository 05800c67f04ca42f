import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { createCoffer } from './coffer.ts'
import { newReference, openSdkSetup, thrownBy, type SdkSetup } from './test/sdk-setup.ts'
import type { ListedOperation } from './types.ts'

const MONTH = new Date().toISOString().slice(0, 7)

describe('exportOperations', () => {
  let setup: SdkSetup
  before(async () => {
    setup = await openSdkSetup()
  })
  after(() => setup.end())

  /** Without the proxy, which knows only complete responses. */
  function makeShop() {
    const { port } = setup.harness.app.server.address() as AddressInfo
    return setup.addShop({ serviceUrl: `http://127.0.0.1:${port}` })
  }

  it('yields what operations() yields, in the same order', async () => {
    const { coffer, serviceUserId } = await makeShop()
    await Promise.all(
      Array.from({ length: 103 }, () =>
        coffer.debit({ serviceUserId, amount: 0.5, description: 'Tea ü', ...newReference() }),
      ),
    )
    const listed: ListedOperation[] = []
    for await (const operation of coffer.operations()) listed.push(operation)
    const exported: ListedOperation[] = []
    for await (const operation of coffer.exportOperations({ month: MONTH })) {
      exported.push(operation)
    }
    assert.deepEqual(exported, listed)
    for await (const operation of coffer.exportOperations({ month: '2001-01' })) {
      assert.fail(operation.referenceId)
    }
  })

  it('throws the error of the service', async () => {
    const { coffer } = await makeShop()
    await thrownBy(coffer.exportOperations({ month: 'May' }).next(), 'INVALID_REQUEST')
  })
})

describe('an export from a service that fails', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })
  const line = (id: number) => `${JSON.stringify({ transactionId: `txn_${id}` })}\n`

  /** The n-th request gets the n-th response. */
  async function serve(...responses: ((response: ServerResponse) => void)[]) {
    let count = 0
    server = createServer((_request, response) => {
      responses[Math.min(count++, responses.length - 1)]?.(response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const serviceUrl = `http://127.0.0.1:${port}`
    const coffer = createCoffer({ serviceUrl, clientId: 'app_1', clientSecret: 'coffer_sk_1' })
    return { coffer, count: () => count }
  }
  const begin = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })

  it('is retried until the response begins', async () => {
    const { coffer, count } = await serve(
      (response) => {
        response.writeHead(503, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: 'Busy.', code: 'SERVICE_UNAVAILABLE' }))
      },
      (response) => begin(response).end(line(1)),
    )
    const ids = []
    for await (const { transactionId } of coffer.exportOperations({ month: MONTH })) {
      ids.push(transactionId)
    }
    assert.deepEqual([ids, count()], [['txn_1'], 2])
  })

  it('keeps a character whose bytes arrive in two pieces', async () => {
    const bytes = Buffer.from(
      `${JSON.stringify({ transactionId: 'txn_1', description: 'Tea ü' })}\n`,
    )
    const middle = bytes.indexOf('ü') + 1
    const { coffer } = await serve((response) => {
      begin(response).write(bytes.subarray(0, middle))
      setTimeout(() => response.end(bytes.subarray(middle)), 50)
    })
    const { value } = await coffer.exportOperations({ month: MONTH }).next()
    assert.equal(value?.description, 'Tea ü')
  })

  it('SERVICE_UNAVAILABLE if the connection ends early, after the operations that arrived', async () => {
    for (const end of [
      (response: ServerResponse) => response.destroy(),
      // A proxy that hides the broken connection.
      (response: ServerResponse) => response.end('{"transac'),
    ]) {
      const { coffer, count } = await serve((response) => {
        begin(response).write(line(1) + line(2).slice(0, 5))
        setTimeout(() => {
          response.write(line(2).slice(5))
          setTimeout(() => end(response), 50)
        }, 50)
      })
      const operations = coffer.exportOperations({ month: MONTH })
      assert.equal((await operations.next()).value?.transactionId, 'txn_1')
      assert.equal((await operations.next()).value?.transactionId, 'txn_2')
      await thrownBy(operations.next(), 'SERVICE_UNAVAILABLE')
      assert.equal(count(), 1)
    }
  })

  it('closes the connection when the loop ends, and when the signal is aborted', async () => {
    const closed: Promise<unknown>[] = []
    const { coffer } = await serve((response) => {
      closed.push(once(response, 'close'))
      begin(response).write(line(1) + line(2))
    })
    for await (const _ of coffer.exportOperations({ month: MONTH })) break
    const signals = new AbortController()
    const seen: string[] = []
    const { signal } = signals
    for await (const { transactionId } of coffer.exportOperations({ month: MONTH, signal })) {
      seen.push(transactionId)
      if (seen.length === 2) signals.abort()
    }
    assert.deepEqual(seen, ['txn_1', 'txn_2'])
    assert.equal(closed.length, 2)
    await Promise.all(closed)
  })
})
