import { ERRORS } from '@coffer/contract/errors'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createJudge, type ServiceResponse } from './judge-response.ts'
import { listEndpoints } from './list-routes.ts'
import type { HostileRequest } from './hostile-request.ts'

const judge = createJudge({ secrets: ['hush-hush'], operatorsOnly: ['for-operators'] })
const route = listEndpoints().find(({ name }) => name === 'debit')
const headers = {
  'api-version': '1.1.0',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=1',
  'x-content-type-options': 'nosniff',
  'x-request-id': '00112233-4455-4677-8899-aabbccddeeff',
}

function judgeDebit(response: Partial<ServiceResponse>, isForeign = false): string[] {
  assert(route !== undefined)
  const request: HostileRequest = {
    route,
    kind: 'hostile',
    method: 'POST',
    target: route.path,
    headers: [],
    body: undefined,
    isAimed: true,
    isForeign,
  }
  return judge(request, { status: 400, headers, text: refusal('INVALID_REQUEST'), ...response })
}

const SUCCESS = JSON.stringify({
  balance: 1,
  message: 'Debit completed.',
  currency: 'USD',
  transactionId: `txn_${'0'.repeat(32)}`,
})

function refusal(code: keyof typeof ERRORS, more: object = {}): string {
  return JSON.stringify({ error: ERRORS[code].text, code, ...more })
}

describe('the check of responses', () => {
  it('accepts the responses that the contract lists', () => {
    assert.deepEqual(judgeDebit({}), [])
    assert.deepEqual(judgeDebit({ status: 404, text: refusal('USER_NOT_FOUND') }), [])
    assert.deepEqual(judgeDebit({ status: 503, text: refusal('OUTCOME_UNKNOWN') }), [])
    assert.deepEqual(judgeDebit({ status: 200, text: SUCCESS }), [])
  })

  it('rejects a success for the user of another client app', () => {
    const faults = judgeDebit({ status: 200, text: SUCCESS }, true)
    assert.deepEqual(faults, ['an id of another client app was accepted'])
  })

  it('rejects everything else', () => {
    const wrong: [Partial<ServiceResponse>, RegExp][] = [
      [{ status: 500, text: '{"error":"Something went wrong"}' }, /^500 undefined/],
      [{ status: 502, text: refusal('PAYMENT_PROVIDER_ERROR') }, /^502/],
      [{ status: 503, text: '{"error":"x"}' }, /^503/],
      [{ text: 'Bad Request' }, /not a JSON object/],
      [{ headers: { ...headers, 'content-type': 'text/html' } }, /is text\/html/],
      [{ headers: { ...headers, 'x-content-type-options': '' } }, /x-content-type-options/],
      [{ headers: { ...headers, 'x-powered-by': 'a' } }, /x-powered-by/],
      [{ status: 404, text: refusal('NOT_FOUND') }, /not in the contract/],
      [{ status: 401, text: refusal('USER_NOT_FOUND') }, /with status 401/],
      [{ text: '{"error":"x","code":"INVALID_REQUEST"}' }, /a different text/],
      [{ text: refusal('INVALID_REQUEST', { stack: 'x' }) }, /a field stack/],
      [{ text: refusal('INVALID_REQUEST', { field: 'a.ts:12' }) }, /internals/],
      [{ text: refusal('INVALID_REQUEST', { field: 'hush-hush' }) }, /a secret/],
      [{ text: refusal('INVALID_REQUEST', { field: 'for-operators' }) }, /a secret/],
      [{ status: 200, text: '{}' }, /does not match the contract/],
      [{ status: 302, text: '' }, /status 302/],
    ]
    for (const [response, fault] of wrong) {
      const faults = judgeDebit(response)
      assert(
        faults.some((each) => fault.test(each)),
        `${String(fault)}: ${faults.join()}`,
      )
    }
  })
})
