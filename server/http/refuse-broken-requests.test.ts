import { ERRORS } from '@coffer/contract/errors'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { openSetup, type Setup } from '../test/setup.ts'

describe('malformed requests', () => {
  let setup: Setup
  let port: number
  before(async () => {
    setup = await openSetup({
      PUBLIC_URL: 'https://wallet.example',
      ALLOW_UNVERIFIED_EMAIL: 'true',
    })
    port = Number(new URL(await setup.harness.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  after(() => setup.harness.end())

  /** Everything that is received until the connection closes. */
  async function send(bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    let received = ''
    socket.setEncoding('latin1').on('data', (piece: string) => (received += piece))
    socket.write(bytes)
    await once(socket, 'close')
    return received
  }

  function assertRefused(received: string, status: number, body: object) {
    const [head = '', text = ''] = received.split('\r\n\r\n', 2)
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    for (const line of [
      /^Api-Version: \d/m,
      /^Cache-Control: no-store\r?$/m,
      /^Strict-Transport-Security: max-age/m,
      /^X-Content-Type-Options: nosniff\r?$/m,
      /^X-Request-Id: [0-9a-f-]{36}\r?$/m,
      /^Content-Type: application\/json; charset=utf-8\r?$/m,
      /^Connection: close\r?$/m,
    ]) {
      assert.match(head, line)
    }
    assert.deepEqual(JSON.parse(text), body)
  }

  it('get an error as in the contract, with the headers of every response', async () => {
    const refusal = { error: ERRORS.INVALID_REQUEST.text, code: 'INVALID_REQUEST' }
    const both = 'Content-Length: 4\r\nTransfer-Encoding: chunked'
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n',
      `POST ${debit.path} HTTP/1.1\r\nHost: a\r\n${both}\r\n\r\n0\r\n\r\n`,
    ]) {
      assertRefused(await send(bytes), 400, refusal)
    }
  })

  it('get an error about the size of their headers if these are too large', async () => {
    const received = await send(`GET /livez HTTP/1.1\r\nHost: a\r\nA: ${'b'.repeat(9_000)}\r\n\r\n`)
    const error = 'The URL and the headers are too large. Send at most 8 KiB in total.'
    assertRefused(received, 431, { error })
  })

  it('do not cut off the response to an earlier debit on the same connection', async () => {
    const { clientId, clientSecret } = setup.app
    const { serviceUserId } = setup.user
    const reference = { referenceType: 'ORDER', referenceId: 'before-nonsense' }
    const fields = { clientId, clientSecret, serviceUserId, amount: 1, ...reference }
    const body = JSON.stringify(fields)
    const head = `POST ${debit.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const received = await send(`${head}${body}nonsense\r\n\r\n`)
    assert.doesNotMatch(received, /^HTTP\/1\.1 4/)
  })
})
