/** The contents of an error: everything that an app needs, and no secret. */
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { inspect } from 'node:util'
import * as published from './coffer.ts'
import { CofferError, ERROR_CLASSES, isCofferError, toError } from './errors.ts'
import { connectionError, scriptCoffer, type Step } from './test/script-fetch.ts'

const REFERENCE = { referenceType: 'ORDER_PAYMENT', referenceId: 'order-1' }
const USER = { serviceUserId: 'su_canary' }

afterEach(() => mock.restoreAll())

async function errorOf(step: Step, options = {}): Promise<CofferError> {
  const { coffer } = scriptCoffer([step], { retries: 0, ...options })
  const error = await coffer.wallet(USER).then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  )
  assert(isCofferError(error))
  assert(!inspect(error, { showHidden: true, depth: 9 }).includes('canary'), inspect(error))
  mock.restoreAll()
  return error
}

describe('an error', () => {
  it('has a class that the package exports', () => {
    const exported = new Set<unknown>(Object.values(published))
    const missing = Object.values(ERROR_CLASSES).filter((Class) => !exported.has(Class))
    assert.deepEqual(missing, [])
  })

  it('of the service has its code, text and details', async () => {
    const error = await errorOf({
      status: 400,
      body: { code: 'INVALID_REQUEST', error: 'Wrong.', field: 'limit', requiresAuth: true },
      headers: { 'x-request-id': 'req-1' },
    })
    assert(isCofferError(error, 'INVALID_REQUEST'))
    assert.deepEqual(
      [error.message, error.field, error.status, error.requestId, error.requiresAuth],
      ['Wrong.', 'limit', 400, 'req-1', true],
    )
    assert.equal(error.docsUrl, 'https://wallet.example/docs/errors/INVALID_REQUEST')
    assert.equal(error.cause, undefined)
    assert(!('cause' in error))
  })

  it('omits details that the service did not send in the right format', async () => {
    const wrong = [
      { requiresAuth: 'true', field: 'a b' },
      { requiresAuth: 1, field: '' },
      { field: 'x'.repeat(65) },
      { field: 7 },
    ]
    for (const fields of wrong) {
      const body = { code: 'INVALID_REQUEST', error: 'Wrong.', ...fields }
      const headers = { 'x-request-id': 'has spaces' }
      const error = await errorOf({ status: 400, body, headers })
      assert(isCofferError(error, 'INVALID_REQUEST'))
      assert.deepEqual(
        [error.field, error.requiresAuth, error.requestId],
        [undefined, false, undefined],
      )
    }
    const headers = { 'x-request-id': 'x'.repeat(129) }
    assert.equal((await errorOf({ status: 400, headers })).requestId, undefined)
  })

  it('of another server has a message of the SDK, because the original may repeat the URL', async () => {
    const codes = [undefined, 7, '', 'lower', 'X', 'HAS SPACE', '9X', `A${'B'.repeat(64)}`, 'OK\n!']
    for (const code of codes) {
      const error = await errorOf({ status: 400, body: { code, error: 'canary' } })
      assert.equal(error.code, 'UNEXPECTED_RESPONSE')
      assert(error instanceof ERROR_CLASSES.UNEXPECTED_RESPONSE)
      assert.equal(
        error.message,
        'Unexpected response with status 400. Check serviceUrl and any proxies in between.',
      )
    }
  })

  it('explains redirects and failures of the service', async () => {
    const redirect =
      'Redirects are not followed, because they could expose the credentials. Set serviceUrl to the final address of the service.'
    const failed = 'Try again in a moment. If the error persists, report the requestId.'
    const texts: [number, string][] = [
      [299, 'Unexpected response with status 299. Check serviceUrl and any proxies in between.'],
      [300, `Unexpected response with status 300. ${redirect}`],
      [399, `Unexpected response with status 399. ${redirect}`],
      [499, 'Unexpected response with status 499. Check serviceUrl and any proxies in between.'],
      [500, `The service or a proxy failed with status 500. ${failed}`],
    ]
    for (const [status, text] of texts) assert.equal((await errorOf({ status })).message, text)
    const withoutText = await errorOf({ status: 500, body: { code: 'INTERNAL', error: '' } })
    assert.equal(withoutText.message, texts[4]?.[1])
  })

  it('of the connection has only the code of the runtime', async () => {
    const help = 'Try again in a moment. If the error persists, check serviceUrl and the network.'
    const reset = await errorOf(connectionError('ECONNRESET'))
    assert(isCofferError(reset, 'SERVICE_UNAVAILABLE'))
    assert.equal(reset.message, `The connection to the service failed (ECONNRESET). ${help}`)
    assert.equal(reset.docsUrl, 'https://wallet.example/docs/errors/SERVICE_UNAVAILABLE')
    assert.deepEqual([reset.status, reset.requestId], [undefined, undefined])
    const cause = reset.cause as Error & { code: string }
    assert.deepEqual([cause.message, cause.code], ['ECONNRESET', 'ECONNRESET'])
    const late = await errorOf('hang', { timeoutMs: 7 })
    assert.equal(late.message, `The service did not respond within 7 ms. ${help}`)
    assert.equal((late.cause as Error).message, 'TIMEOUT')
  })

  it('of the connection looks for the code in the first four errors', async () => {
    const wrap = (depth: number): Error =>
      depth === 0
        ? Object.assign(new Error('canary'), { code: 'EPIPE' })
        : new Error('canary', { cause: wrap(depth - 1) })
    for (const depth of [0, 1, 3]) {
      assert.match((await errorOf(wrap(depth))).message, /failed \(EPIPE\)\./)
    }
    const plain = /^The connection to the service failed\. Try/
    for (const error of [
      wrap(4),
      Object.assign(new Error('canary'), { code: 'canary' }),
      Object.assign(new Error('canary'), { code: 'E1' }),
      Object.assign(new Error('canary'), { code: `E${'X'.repeat(64)}` }),
      Object.assign(new Error('canary'), { code: 7 }),
      new Error('canary', { cause: 'ECONNRESET' }),
    ]) {
      const failure = await errorOf(error)
      assert.match(failure.message, plain)
      assert.equal((failure.cause as Error).message, 'The connection failed.')
    }
  })

  it('operation() is null for a reference without a decision, and only then', async () => {
    const find = async (code: string) => {
      const { coffer } = scriptCoffer([{ status: 404, body: { code, error: 'No.' } }])
      return coffer.operation(REFERENCE).finally(() => mock.restoreAll())
    }
    assert.equal(await find('OPERATION_NOT_FOUND'), null)
    await assert.rejects(find('USER_NOT_FOUND'), (error) => isCofferError(error, 'USER_NOT_FOUND'))
  })

  it('about a missing serviceUserId explains how to link one', async () => {
    const { coffer, sent } = scriptCoffer([])
    const error = await coffer.wallet({ serviceUserId: '' }).catch((thrown: unknown) => thrown)
    assert(isCofferError(error, 'ACCOUNT_NOT_LINKED'))
    assert.deepEqual([error.requiresAuth, sent], [true, []])
    assert.match(error.message, /no wallet is linked\. Show the widget without a session/)
    assert.equal(error.docsUrl, 'https://wallet.example/docs/errors/ACCOUNT_NOT_LINKED')
  })
})

describe('the class of an error', () => {
  const details = { code: '', message: 'Text.', docsUrl: 'https://docs.example' }

  it('depends on its code', () => {
    for (const [code, Class] of Object.entries(ERROR_CLASSES)) {
      const error = toError({ ...details, code })
      assert.equal(error.constructor, Class)
      assert.equal(error.name, Class.name)
      assert(isCofferError(error))
    }
  })

  it('is CofferError for a code of a newer service', () => {
    for (const code of ['NEWER', 'toString', '__proto__']) {
      const error = toError({ ...details, code })
      assert.equal(error.constructor, CofferError)
      assert.equal(error.code, code)
    }
  })

  it('has the fields of its code', () => {
    const cause = new Error('inner')
    const reference = REFERENCE
    const all = { ...details, retryAfterSeconds: 7, field: 'amount', reference, cause }
    const seen = (code: string) => toError({ ...all, code }) as unknown as Record<string, unknown>
    assert.equal(seen('RATE_LIMITED')['retryAfterSeconds'], 7)
    assert.equal(seen('SERVICE_UNAVAILABLE')['retryAfterSeconds'], 7)
    assert.equal(seen('INVALID_AMOUNT')['field'], 'amount')
    assert.equal(seen('OUTCOME_UNKNOWN')['reference'], reference)
    assert.equal(toError({ ...all, code: 'NEWER' }).cause, cause)
    assert.equal(toError(details).requiresAuth, false)
  })

  it('is recognized across copies of the package, and by its code', () => {
    const error = toError({ ...details, code: 'INVALID_CLIENT' })
    assert.equal(isCofferError(error, 'INVALID_CLIENT'), true)
    assert.equal(isCofferError(error, 'RATE_LIMITED'), false)
    const copy = Object.assign(new Error('copy'), { code: 'RATE_LIMITED' })
    assert.equal(isCofferError(copy), false)
    Object.defineProperty(copy, Symbol.for('@coffer/sdk/error'), { value: true })
    assert.equal(isCofferError(copy), true)
    assert.equal(isCofferError(copy, 'RATE_LIMITED'), true)
    for (const other of [null, undefined, 'x', { code: 'RATE_LIMITED' }, new Error('x')]) {
      assert.equal(isCofferError(other), false)
    }
  })
})
