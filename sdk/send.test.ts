/** When and how a call is retried, with a simulated clock. The tests against the real service are in retry.test.ts. */
import { RECORDED_REFUSALS } from '@coffer/contract/errors'
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { isCofferError, type CofferErrorCode } from './errors.ts'
import {
  connectionError,
  scriptCoffer,
  type ScriptedCoffer,
  type Step,
} from './test/script-fetch.ts'

const REFERENCE = { referenceType: 'ORDER_PAYMENT', referenceId: 'order-1' }
const DEBIT = { serviceUserId: 'su_1', amount: '19.99', ...REFERENCE }
const DONE: Step = { status: 200, body: { balance: 80, message: 'Done.', currency: 'USD' } }
const UNAVAILABLE: Step = { status: 503, body: { error: 'Later.', code: 'SERVICE_UNAVAILABLE' } }
const LIMITED: Step = { status: 429, body: { error: 'Too many.', code: 'RATE_LIMITED' } }
const RESET = connectionError('ECONNRESET')

afterEach(() => mock.restoreAll())

async function failureOf(promise: Promise<unknown>, code: CofferErrorCode) {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  )
  assert(isCofferError(error, code), String(error))
  return error
}

/** How many requests the debit sends, and the code of its error. */
async function debit({ coffer, sent }: ScriptedCoffer): Promise<[number, string]> {
  const result = await coffer.debit(DEBIT).then(
    () => 'success',
    (error: unknown) => (isCofferError(error) ? error.code : String(error)),
  )
  return [sent.length, result]
}

describe('an attempt', () => {
  it('is repeated with the same bytes', async () => {
    const { coffer, sent } = scriptCoffer([RESET, 'hang', UNAVAILABLE, LIMITED, DONE])
    const input = { ...DEBIT, description: 'Tea' }
    assert.equal((await coffer.debit(input)).balance, 80)
    assert.equal(sent.length, 5)
    assert.equal(new Set(sent.map(({ url, body }) => url + String(body))).size, 1)
    assert.deepEqual(JSON.parse(String(sent[0]?.body)), input)
  })

  it('may take ten seconds by default, and never longer than the call', async () => {
    const lost = scriptCoffer(['hang'])
    await failureOf(lost.coffer.debit(DEBIT), 'OUTCOME_UNKNOWN')
    assert.deepEqual(
      lost.sent.map(({ timeoutMs }) => timeoutMs),
      [10_000, 10_000, 10_000],
    )
    mock.restoreAll()
    const { coffer, sent } = scriptCoffer(['hang'], { timeoutMs: 400, deadlineMs: 1_000 })
    await failureOf(coffer.debit(DEBIT), 'OUTCOME_UNKNOWN')
    assert.deepEqual(
      sent.map(({ timeoutMs }) => timeoutMs),
      [400, 400, 200],
    )
  })

  it('always gets at least a millisecond, in whole milliseconds', async () => {
    const steps: Step[] = [{ ...UNAVAILABLE, tookMs: 99.5 }, { ...UNAVAILABLE, tookMs: 0.25 }, DONE]
    const { coffer, sent } = scriptCoffer(steps, { deadlineMs: 100 })
    await coffer.debit(DEBIT)
    assert.equal(sent.map(({ timeoutMs }) => timeoutMs).join(), '100,1,1')
  })

  it('follows no redirect', async () => {
    const { coffer, sent } = scriptCoffer([DONE])
    await coffer.debit(DEBIT)
    await coffer.wallet({ serviceUserId: 'su_1' })
    for (const { redirect } of sent) assert.equal(redirect, 'manual')
  })
})

describe('the number of attempts', () => {
  it('is five by default, and one more than the retries', async () => {
    assert.deepEqual(await debit(scriptCoffer([UNAVAILABLE])), [5, 'SERVICE_UNAVAILABLE'])
    mock.restoreAll()
    assert.deepEqual(await debit(scriptCoffer([LIMITED], { retries: 2 })), [3, 'RATE_LIMITED'])
    mock.restoreAll()
    assert.deepEqual(await debit(scriptCoffer([{ status: 500 }])), [5, 'OUTCOME_UNKNOWN'])
    mock.restoreAll()
    const once = scriptCoffer([UNAVAILABLE], { retries: 0 })
    assert.deepEqual(await debit(once), [1, 'SERVICE_UNAVAILABLE'])
  })

  it('is one after a refusal that a retry cannot change', async () => {
    for (const status of [300, 302, 400, 401, 402, 403, 404, 409, 422, 428, 430, 499]) {
      const refused = scriptCoffer([{ status }, DONE])
      assert.deepEqual(await debit(refused), [1, 'UNEXPECTED_RESPONSE'], `${status}`)
      mock.restoreAll()
    }
  })

  it('is one after an unrelated page with status 200, which may hide an executed debit', async () => {
    for (const body of ['<html>', '[]', 'null', '7', '', { status: 'ok' }]) {
      assert.deepEqual(await debit(scriptCoffer([{ status: 200, body }, DONE])), [
        1,
        'OUTCOME_UNKNOWN',
      ])
      mock.restoreAll()
    }
  })

  it('ends with the deadline, without waiting for it', async () => {
    const hours = { ...LIMITED, headers: { 'retry-after': '3600' } }
    const { coffer, sent, delaysMs } = scriptCoffer([hours])
    const error = await failureOf(coffer.debit(DEBIT), 'RATE_LIMITED')
    assert.equal(isCofferError(error, 'RATE_LIMITED') && error.retryAfterSeconds, 3_600)
    assert.deepEqual([sent.length, delaysMs], [1, []])
    mock.restoreAll()
    const exact = { ...LIMITED, headers: { 'retry-after': '1' } }
    assert.equal((await debit(scriptCoffer([exact, DONE], { deadlineMs: 1_000 })))[0], 1)
    mock.restoreAll()
    assert.equal((await debit(scriptCoffer([exact, DONE], { deadlineMs: 1_001 })))[0], 2)
  })
})

describe('the delay between attempts', () => {
  it('is random, within a bound that doubles up to four seconds', async () => {
    for (const random of [0, 0.5, 1]) {
      const { coffer, delaysMs } = scriptCoffer([UNAVAILABLE], { random, retries: 6 })
      await failureOf(coffer.debit(DEBIT), 'SERVICE_UNAVAILABLE')
      const bounds = [500, 1_000, 2_000, 4_000, 4_000, 4_000]
      assert.deepEqual(
        delaysMs,
        bounds.map((boundMs) => boundMs * random),
      )
      mock.restoreAll()
    }
  })

  it('is added to Retry-After, in seconds or as a date', async () => {
    const seconds = { ...LIMITED, headers: { 'retry-after': '2' } }
    const first = scriptCoffer([seconds, DONE], { random: 0.5 })
    await first.coffer.debit(DEBIT)
    assert.deepEqual(first.delaysMs, [2_250])
    mock.restoreAll()
    const date = new Date(Date.now() + 5_000).toUTCString()
    const second = scriptCoffer([{ ...LIMITED, headers: { 'retry-after': date } }, DONE])
    await second.coffer.debit(DEBIT)
    const [delayMs = 0] = second.delaysMs
    assert(delayMs > 2_000 && delayMs <= 5_000, `${delayMs}`)
  })

  it('is not shortened by a date in the past or an invalid header', async () => {
    const past = new Date(Date.now() - 60_000).toUTCString()
    for (const header of [past, 'soon', '', '1234567890', '-5 seconds']) {
      const step = { ...LIMITED, headers: { 'retry-after': header } }
      const { coffer, delaysMs } = scriptCoffer([step, DONE], { random: 1 })
      await coffer.debit(DEBIT)
      assert.deepEqual(delaysMs, [500], header)
      mock.restoreAll()
    }
  })
})

describe('the outcome of a debit', () => {
  const refuse = (status: number, code: string): Step => ({ status, body: { error: 'No.', code } })
  const DOUBTFUL: Step[] = [
    RESET,
    'hang',
    { status: 500 },
    { status: 502, body: '<html>' },
    { status: 200, body: '<html>' },
    { status: 204, body: '' },
    refuse(503, 'OUTCOME_UNKNOWN'),
    refuse(500, 'INTERNAL'),
    new Error('without a code'),
  ]
  const UNTOUCHED: Step[] = [
    UNAVAILABLE,
    LIMITED,
    refuse(401, 'INVALID_CLIENT'),
    refuse(404, 'USER_NOT_FOUND'),
    { status: 302 },
    { status: 499 },
    ...['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'].map(
      connectionError,
    ),
    connectionError('UND_ERR_CONNECT_TIMEOUT'),
  ]

  for (const [index, step] of DOUBTFUL.entries()) {
    it(`is unknown after an attempt that may have been executed (${index})`, async () => {
      const { coffer } = scriptCoffer([step], { retries: 0 })
      const error = await failureOf(coffer.debit(DEBIT), 'OUTCOME_UNKNOWN')
      assert.deepEqual('reference' in error && error.reference, REFERENCE)
    })
  }

  it('is known if no attempt was executed', async () => {
    for (const step of UNTOUCHED) {
      const [, code] = await debit(scriptCoffer([step], { retries: 1 }))
      assert.notEqual(code, 'OUTCOME_UNKNOWN', JSON.stringify(step))
      mock.restoreAll()
    }
  })

  it('stays unknown when a later attempt is rejected', async () => {
    for (const step of UNTOUCHED) {
      const [, code] = await debit(scriptCoffer([RESET, step], { retries: 1 }))
      assert.equal(code, 'OUTCOME_UNKNOWN', JSON.stringify(step))
      mock.restoreAll()
    }
  })

  it('stays unknown when an attempt before the doubtful one was rejected', async () => {
    assert.deepEqual(await debit(scriptCoffer([UNAVAILABLE, RESET], { retries: 1 })), [
      2,
      'OUTCOME_UNKNOWN',
    ])
  })

  it('becomes known when a later attempt reports the decision', async () => {
    for (const code of RECORDED_REFUSALS) {
      assert.deepEqual(await debit(scriptCoffer([RESET, refuse(400, code)])), [2, code])
      mock.restoreAll()
    }
    assert.deepEqual(await debit(scriptCoffer(['hang', DONE])), [2, 'success'])
    mock.restoreAll()
    const headers = { 'idempotency-mismatch': 'amount' }
    const mismatch = scriptCoffer([RESET, { ...DONE, headers }])
    assert.deepEqual(await debit(mismatch), [2, 'REPLAY_MISMATCH'])
  })

  it('is described by an error with the reference, the cause and the last response', async () => {
    const headers = { 'x-request-id': 'req-1' }
    const { coffer } = scriptCoffer([RESET, { ...UNAVAILABLE, headers }], { retries: 1 })
    const error = await failureOf(coffer.debit(DEBIT), 'OUTCOME_UNKNOWN')
    assert(isCofferError(error, 'OUTCOME_UNKNOWN'))
    assert.deepEqual([error.status, error.requestId], [503, 'req-1'])
    assert.equal(error.docsUrl, 'https://wallet.example/docs/errors/OUTCOME_UNKNOWN')
    assert.match(error.message, /^It is not known whether .* same referenceType and referenceId: /)
    assert(isCofferError(error.cause, 'SERVICE_UNAVAILABLE'))
  })

  it('is passed on unchanged if the service itself reports it as unknown', async () => {
    const { coffer } = scriptCoffer([refuse(503, 'OUTCOME_UNKNOWN')], { retries: 0 })
    const error = await failureOf(coffer.credit(DEBIT), 'OUTCOME_UNKNOWN')
    assert.equal(error.message, 'No.')
    assert.equal(error.cause, undefined)
  })
})

describe('a call without a reference', () => {
  it('never throws OUTCOME_UNKNOWN', async () => {
    const calls: ((shop: ScriptedCoffer) => Promise<unknown>)[] = [
      ({ coffer }) => coffer.wallet({ serviceUserId: 'su_1' }),
      ({ coffer }) => coffer.checkBalance({ serviceUserId: 'su_1', requiredAmount: 1 }),
      ({ coffer }) => coffer.operation(REFERENCE),
      ({ coffer }) => coffer.createSession({ serviceUserId: 'su_1' }),
      ({ coffer }) => coffer.exchangeLinkCode({ linkCode: 'lc_1', verifier: 'v' }),
    ]
    for (const call of calls) {
      const shop = scriptCoffer([RESET], { retries: 1 })
      const error = await failureOf(call(shop), 'SERVICE_UNAVAILABLE')
      assert.equal(shop.sent.length, 2)
      assert.match(error.message, /\(ECONNRESET\)/)
      mock.restoreAll()
    }
  })
})
