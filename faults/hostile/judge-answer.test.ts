import { ERRORS } from '@coffer/contract/errors'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createJudge, type Answer } from './judge-answer.ts'
import { listEndpoints } from './list-routes.ts'
import type { Shot } from './shot.ts'

const judge = createJudge({ secrets: ['hush-hush'], privates: ['for-operators'] })
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

function judgeDebit(answer: Partial<Answer>): string[] {
  assert(route !== undefined)
  const shot: Shot = {
    route,
    kind: 'hostile',
    method: 'POST',
    target: route.path,
    headers: [],
    body: undefined,
    isAimed: true,
  }
  return judge(shot, { status: 400, headers, text: refusal('INVALID_REQUEST'), ...answer })
}

function refusal(code: keyof typeof ERRORS, more: object = {}): string {
  return JSON.stringify({ error: ERRORS[code].text, code, ...more })
}

describe('the judge of answers', () => {
  it('lets pass what the contract promises', () => {
    assert.deepEqual(judgeDebit({}), [])
    assert.deepEqual(judgeDebit({ status: 404, text: refusal('USER_NOT_FOUND') }), [])
    assert.deepEqual(judgeDebit({ status: 503, text: refusal('OUTCOME_UNKNOWN') }), [])
    const text = JSON.stringify({ balance: 1, message: 'Debit completed.', currency: 'USD' })
    assert.deepEqual(judgeDebit({ status: 200, text }), [])
  })

  it('objects to everything else', () => {
    const wrong: [Partial<Answer>, RegExp][] = [
      [{ status: 500, text: '{"error":"Something went wrong"}' }, /^500 undefined/],
      [{ status: 502, text: refusal('PAYMENT_PROVIDER_ERROR') }, /^502/],
      [{ status: 503, text: '{"error":"x"}' }, /^503/],
      [{ text: 'Bad Request' }, /no JSON object/],
      [{ headers: { ...headers, 'content-type': 'text/html' } }, /is text\/html/],
      [{ headers: { ...headers, 'x-content-type-options': '' } }, /x-content-type-options/],
      [{ headers: { ...headers, 'x-powered-by': 'a' } }, /x-powered-by/],
      [{ status: 404, text: refusal('NOT_FOUND') }, /not promised/],
      [{ status: 401, text: refusal('USER_NOT_FOUND') }, /with status 401/],
      [{ text: '{"error":"x","code":"INVALID_REQUEST"}' }, /another text/],
      [{ text: refusal('INVALID_REQUEST', { stack: 'x' }) }, /a field stack/],
      [{ text: refusal('INVALID_REQUEST', { field: 'a.ts:12' }) }, /innards/],
      [{ text: refusal('INVALID_REQUEST', { field: 'hush-hush' }) }, /a secret/],
      [{ text: refusal('INVALID_REQUEST', { field: 'for-operators' }) }, /a secret/],
      [{ status: 200, text: '{}' }, /shape of the contract/],
      [{ status: 302, text: '' }, /status 302/],
    ]
    for (const [answer, fault] of wrong) {
      const faults = judgeDebit(answer)
      assert(
        faults.some((each) => fault.test(each)),
        `${String(fault)}: ${faults.join()}`,
      )
    }
  })
})
