import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { it } from 'node:test'
import { startOwnHarness } from '../test/harness.ts'
import { addShop } from '../test/setup.ts'

it('a service that stops ends the connections with and without a request in progress', async (test) => {
  const { harness, app, user } = await addShop(await startOwnHarness())
  const { ledger } = harness.context
  const posting = Promise.withResolvers<void>()
  const stopping = Promise.withResolvers<void>()
  const post = ledger.post.bind(ledger)
  test.mock.method(ledger, 'post', async (...operation: Parameters<typeof post>) => {
    posting.resolve()
    await stopping.promise
    return post(...operation)
  })
  const url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  await once(silent, 'connect')
  const agent = new Agent({ keepAlive: true })
  const headers = { 'content-type': 'application/json' }
  const sent = request(url + debit.path, { agent, method: 'POST', headers })
  sent.end(
    JSON.stringify({
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      serviceUserId: user.serviceUserId,
      amount: 1,
      referenceType: 'STOP',
      referenceId: '1',
    }),
  )
  await posting.promise
  const stopped = harness.end()
  await once(silent, 'close')
  stopping.resolve()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  assert.deepEqual([response.statusCode, response.headers.connection], [200, 'close'])
  response.resume()
  await stopped
})
