import { batch } from '@coffer/contract/server/batch'
import { BATCH_BODY_MAX_BYTES, BODY_MAX_BYTES } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openSetup, type Setup } from '../test/setup.ts'

const FAILURES = 60

describe('a large body', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup({ TRUST_PROXY: 'true' })
  })
  after(() => setup.harness.end())

  let network = 0
  beforeEach(() => network++)
  const address = (host = 1) => `198.51.${network}.${host}`

  async function send(
    payload: string,
    { from = address(), ...others }: Record<string, string> = {},
  ) {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...others,
    }
    const { statusCode, json } = await setup.harness.inject({
      method: 'POST',
      url: batch.path,
      payload,
      headers,
    })
    return [statusCode, json<{ code?: string }>().code]
  }

  function operations() {
    const { serviceUserId } = setup.user
    return [
      {
        kind: 'debit',
        serviceUserId,
        amount: 0.01,
        referenceType: 'LARGE',
        referenceId: `${Math.random()}`,
        // A field of the same name in the middle of the body.
        metadata: { clientId: 'customer 5' },
      },
    ]
  }

  const large = (fields: object) => JSON.stringify(fields, undefined, 1).padEnd(BODY_MAX_BYTES * 2)
  const credentials = () => ({
    clientId: setup.app.clientId,
    clientSecret: setup.app.clientSecret,
  })
  const wrong = () => ({ ...credentials(), clientSecret: `coffer_sk_${'x'.repeat(51)}` })
  const basic = () => {
    const { clientId, clientSecret } = credentials()
    return { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
  }

  it('401 INVALID_CLIENT without valid credentials, before it is parsed', async () => {
    const invalid = '['.repeat(BATCH_BODY_MAX_BYTES)
    assert.deepEqual(await send(invalid), [401, 'INVALID_CLIENT'])
    assert.deepEqual(await send(large(wrong()) + '['), [401, 'INVALID_CLIENT'])
    const other = { authorization: `Basic ${btoa('app_1:secret')}` }
    assert.deepEqual(await send(invalid, other), [401, 'INVALID_CLIENT'])
  })

  it('400 INVALID_REQUEST with valid credentials and invalid JSON', async () => {
    const invalid = large(credentials()) + '['
    assert.deepEqual(await send(invalid), [400, 'INVALID_REQUEST'])
    assert.deepEqual(await send(invalid, basic()), [400, 'INVALID_REQUEST'])
  })

  it('200 with credentials before and after the operations, and in the header', async () => {
    const first = large({ ...credentials(), operations: operations() })
    assert.deepEqual(await send(first), [200, undefined])
    const last = large({ operations: operations(), ...credentials() })
    assert.deepEqual(await send(last), [200, undefined])
    const only = large({ operations: operations() })
    assert.deepEqual(await send(only, basic()), [200, undefined])
  })

  it('401 INVALID_CLIENT if other credentials follow the right ones', async () => {
    const text = JSON.stringify({ ...credentials(), operations: operations() })
    const double = text.replace(/}$/, `,"clientSecret":"other"}`).padEnd(BODY_MAX_BYTES * 2)
    assert.deepEqual(await send(double), [401, 'INVALID_CLIENT'])
  })

  it('429 RATE_LIMITED after many from a network without valid credentials, but not for others', async (test) => {
    // The limit refills with time, and a busy machine needs seconds for these.
    const nowMs = performance.now()
    const clock = test.mock.method(performance, 'now', () => nowMs)
    for (let time = 0; time < FAILURES; time++) {
      assert.deepEqual(await send(large(wrong())), [401, 'INVALID_CLIENT'])
    }
    const right = { ...credentials(), operations: operations() }
    assert.deepEqual(await send(large(right)), [429, 'RATE_LIMITED'])
    clock.mock.restore()
    assert.deepEqual(await send(JSON.stringify(right)), [200, undefined])
    assert.deepEqual(await send(large(right), basic()), [200, undefined])
    assert.deepEqual(await send(large(right), { from: address(2) }), [200, undefined])
  })
})
