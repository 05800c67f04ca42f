/** What the calls send, and what a response means. */
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { isCofferError } from './errors.ts'
import { scriptCoffer } from './test/script-fetch.ts'

const REFERENCE = { referenceType: 'ORDER_PAYMENT', referenceId: 'order-1' }
const USER = { serviceUserId: 'su_canary' }
const DEBIT = { ...USER, amount: '19.99', ...REFERENCE }
const RESULT = { balance: 80, message: 'Done.', currency: 'USD', transactionId: 'txn_1' }

afterEach(() => mock.restoreAll())

describe('the requests', () => {
  it('have a method, a path, fields and credentials', async () => {
    const { coffer, sent } = scriptCoffer([{ status: 200, body: { ...RESULT, ...PROOFS } }])
    await coffer.wallet({ ...USER, limit: 5, cursor: 'a b' })
    await coffer.wallet(USER)
    await coffer.checkBalance({ ...USER, requiredAmount: 1.5 })
    await coffer.operation(REFERENCE)
    await coffer.debit(DEBIT)
    await coffer.credit({ ...DEBIT, description: 'Tea' })
    await coffer.createSession({ ...USER, parentOrigin: 'https://shop.example' })
    await coffer.exchangeLinkCode({ linkCode: 'lc_1', verifier: 'v' })
    const origin = 'https://wallet.example'
    assert.deepEqual(
      sent.map(({ method, url, body }) => [method, url.replace(origin, ''), body]),
      [
        ['GET', '/api/server/wallet?serviceUserId=su_canary&limit=5&cursor=a+b', undefined],
        ['GET', '/api/server/wallet?serviceUserId=su_canary', undefined],
        [
          'GET',
          '/api/server/wallet/check-balance?serviceUserId=su_canary&requiredAmount=1.5',
          undefined,
        ],
        [
          'GET',
          '/api/server/operations?referenceType=ORDER_PAYMENT&referenceId=order-1',
          undefined,
        ],
        ['POST', '/api/server/wallet/debit', JSON.stringify(DEBIT)],
        ['POST', '/api/server/wallet/credit', JSON.stringify({ ...DEBIT, description: 'Tea' })],
        [
          'POST',
          '/api/widget/session',
          JSON.stringify({ ...USER, parentOrigin: 'https://shop.example' }),
        ],
        ['POST', '/api/server/link/exchange', '{"linkCode":"lc_1","verifier":"v"}'],
      ],
    )
    const authorization = `Basic ${btoa('app_1:coffer_sk_1')}`
    const accept = 'application/json'
    for (const { method, headers } of sent) {
      const typed = method === 'POST' ? { 'content-type': 'application/json' } : {}
      assert.deepEqual(headers, { accept, authorization, ...typed })
    }
  })

  it('use the current global fetch', async () => {
    const { coffer } = scriptCoffer([], { fetch: undefined })
    assert(coffer)
    mock.restoreAll()
    const { createCoffer } = await import('./coffer.ts')
    const own = createCoffer({
      serviceUrl: 'https://wallet.example/',
      clientId: 'app_1',
      clientSecret: 's',
    })
    const urls: unknown[] = []
    mock.method(globalThis, 'fetch', async (url: unknown) => {
      urls.push(url)
      return Response.json({ ...RESULT })
    })
    assert.deepEqual(await own.wallet(USER), RESULT)
    assert.deepEqual(urls, ['https://wallet.example/api/server/wallet?serviceUserId=su_canary'])
  })
})

const PROOFS = {
  hasSufficientBalance: true,
  status: 'posted',
  sessionToken: 'ws_1',
  serviceUserId: 'su_1',
}

describe('a success', () => {
  it('requires the field that identifies the response of each call', async () => {
    for (const [name, method] of [
      ['balance', 'wallet'],
      ['hasSufficientBalance', 'checkBalance'],
      ['status', 'operation'],
      ['sessionToken', 'createSession'],
      ['serviceUserId', 'exchangeLinkCode'],
      ['balance', 'debit'],
    ] as const) {
      const all: Record<string, unknown> = { ...RESULT, ...PROOFS }
      const input = { ...DEBIT, requiredAmount: 1, linkCode: 'lc_1', verifier: 'v' }
      const { coffer } = scriptCoffer([{ status: 200, body: all }])
      const response = (await coffer[method](input)) as unknown as Record<string, unknown>
      assert.equal(response[name], all[name])
      mock.restoreAll()
      delete all[name]
      const other = scriptCoffer([{ status: 200, body: all }])
      await assert.rejects(other.coffer[method](input), (error) => isCofferError(error))
      mock.restoreAll()
    }
  })

  it('is any status from 200 to 299', async () => {
    for (const status of [200, 201, 299]) {
      const { coffer } = scriptCoffer([{ status, body: RESULT }])
      assert.deepEqual(await coffer.wallet(USER), RESULT)
      mock.restoreAll()
    }
    for (const status of [199, 300]) {
      const { coffer } = scriptCoffer([{ status, body: RESULT }])
      const isUnexpected = (error: unknown) => isCofferError(error, 'UNEXPECTED_RESPONSE')
      await assert.rejects(coffer.wallet(USER), isUnexpected)
      mock.restoreAll()
    }
  })

  it('of a debit reports whether it is a replay; other calls do not', async () => {
    for (const [header, replayed] of [
      ['true', true],
      ['false', false],
      ['', false],
    ] as const) {
      const headers = header ? { 'idempotency-replayed': header } : {}
      const { coffer } = scriptCoffer([{ status: 200, body: RESULT, headers }])
      assert.deepEqual(await coffer.debit(DEBIT), { ...RESULT, replayed })
      assert.deepEqual(await coffer.wallet(USER), RESULT)
      mock.restoreAll()
    }
  })
})

describe('a mismatch', () => {
  async function mismatch(body: object, header = 'amount, serviceUserId', status = 200) {
    const headers = { 'idempotency-mismatch': header, 'x-request-id': 'req-1' }
    const { coffer, sent } = scriptCoffer([{ status, body, headers }])
    const error = await coffer.debit(DEBIT).catch((thrown: unknown) => thrown)
    assert.equal(sent.length, 1)
    return error
  }

  it('of a posted operation has the original', async () => {
    const error = await mismatch({ ...RESULT, more: 1 })
    assert(isCofferError(error, 'REPLAY_MISMATCH'))
    assert.deepEqual(error.original, { status: 'posted', ...RESULT })
    assert.deepEqual(error.differs, ['amount', 'serviceUserId'])
    assert.deepEqual(error.reference, REFERENCE)
    assert.deepEqual([error.status, error.requestId], [200, 'req-1'])
    assert.equal(error.docsUrl, 'https://wallet.example/docs/errors/REPLAY_MISMATCH')
    assert.equal(
      error.message,
      'This referenceType and referenceId were already used with a different amount and serviceUserId. Nothing was executed, and the first outcome is unchanged: the property original contains it. Read it before you use a new referenceId.',
    )
  })

  it('of a refused operation has the refusal', async () => {
    const body = { code: 'INSUFFICIENT_BALANCE', error: 'Not enough.' }
    const error = await mismatch(body, 'amount', 400)
    assert(isCofferError(error, 'REPLAY_MISMATCH'))
    assert.deepEqual(error.original, {
      status: 'refused',
      code: 'INSUFFICIENT_BALANCE',
      message: 'Not enough.',
    })
  })

  it('is the same error if the app refuses repeats that differ', async () => {
    const refusal = { error: 'Another operation.', code: 'REFERENCE_MISMATCH' }
    const original = { ...RESULT, status: 200, type: 'debit' }
    const posted = await mismatch({ ...refusal, original }, 'amount', 409)
    assert(isCofferError(posted, 'REPLAY_MISMATCH'))
    assert.deepEqual(posted.original, { status: 'posted', ...RESULT })
    assert.deepEqual([posted.status, posted.differs], [409, ['amount']])
    mock.restoreAll()
    const refused = { status: 400, type: 'debit', code: 'INSUFFICIENT_BALANCE', error: 'Too low.' }
    const error = await mismatch({ ...refusal, original: refused }, 'amount', 409)
    assert(isCofferError(error, 'REPLAY_MISMATCH'))
    const { code, error: message } = refused
    assert.deepEqual(error.original, { status: 'refused', code, message })
    for (const absent of [undefined, null, 'text']) {
      mock.restoreAll()
      const bare = await mismatch({ ...refusal, original: absent }, 'direction', 409)
      assert(isCofferError(bare, 'REFERENCE_MISMATCH'))
    }
  })

  it('lists no field if the header has none', async () => {
    const error = await mismatch(RESULT, '--')
    assert(isCofferError(error, 'REPLAY_MISMATCH'))
    assert.deepEqual(error.differs, [])
  })

  it('is not reported if nothing was decided, or without a reference', async () => {
    const body = { code: 'INVALID_CLIENT', error: 'No.' }
    assert(isCofferError(await mismatch(body, 'amount', 401), 'INVALID_CLIENT'))
    mock.restoreAll()
    const headers = { 'idempotency-mismatch': 'amount' }
    const { coffer } = scriptCoffer([{ status: 200, body: RESULT, headers }])
    assert.deepEqual(await coffer.wallet(USER), RESULT)
  })
})
