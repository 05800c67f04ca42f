import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { scriptService, type ServiceResponse } from '../test/script-responses.ts'
import { createAccountCall } from './calls.ts'

afterEach(() => mock.restoreAll())

function setup(response: ServiceResponse) {
  const requests = scriptService(response)
  const expired = mock.fn()
  return { requests, expired, call: createAccountCall({ expired }) }
}

describe('a request of the account page', () => {
  it('reports that the login has ended', async () => {
    const { call, expired } = setup({ status: 401, body: { code: 'LOGIN_REQUIRED' } })
    const result = await call('GET /api/account')
    assert.equal(result.ok, false)
    assert.equal(expired.mock.callCount(), 1)
  })

  const OTHERS: [string, ServiceResponse][] = [
    [
      'a wrong password, which has the same status',
      { status: 401, body: { code: 'LOGIN_FAILED' } },
    ],
    ['a refused password', { status: 400, body: { code: 'PASSWORD_REFUSED' } }],
    ['too many requests', { status: 429, body: { code: 'RATE_LIMITED' } }],
    ['an error without a code', { status: 500 }],
    ['no response', 'offline'],
  ]
  for (const [title, response] of OTHERS) {
    it(`does not end the login after ${title}`, async () => {
      const { call, expired, requests } = setup(response)
      const input = { password: 'not mine', newPassword: 'a lantern in the harbour' }
      const result = await call('POST /api/account/password', input)
      assert.equal(result.ok, false)
      assert.equal(expired.mock.callCount(), 0)
      assert.deepEqual(requests, [{ url: '/api/account/password', body: input }])
    })
  }
})
