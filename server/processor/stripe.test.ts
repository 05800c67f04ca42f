import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isReturned } from './stripe.ts'

describe('the money of a refund', () => {
  for (const status of ['failed', 'canceled']) {
    it(`came back if its status is ${status}`, () => assert.equal(isReturned({ status }), true))
  }

  for (const status of ['pending', 'requires_action', 'succeeded', null]) {
    it(`is on its way or arrived if its status is ${status}`, () =>
      assert.equal(isReturned({ status }), false))
  }
})
