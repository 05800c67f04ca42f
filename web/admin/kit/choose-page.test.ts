import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choosePage } from './choose-page.ts'

describe('choosePage', () => {
  const id = '0'.repeat(32)
  const uuid = '5f0c5a52-6a3c-4a4e-9b57-0a4a3f0f8a11'
  const cases: [entered: string, place: string][] = [
    [` txn_${id} `, `/admin/operations?transaction=txn_${id}`],
    [`app_${id.slice(8)}`, `/admin/client-apps/app_${id.slice(8)}`],
    ['pi_3Abc', '/admin/topups?search=pi_3Abc'],
    ['re_3Abc', '/admin/topups?search=re_3Abc'],
    // An id of the service, or the reference of an app.
    [uuid, `/admin/search?search=${uuid}`],
    ['order-78', '/admin/search?search=order-78'],
    ['ada@example.com', '/admin/people?search=ada%40example.com'],
    ['Ada & Bob', '/admin/search?search=Ada+%26+Bob'],
    // Not complete, so it is no id.
    ['txn_12', '/admin/search?search=txn_12'],
  ]
  for (const [entered, place] of cases) {
    it(`sends ${entered.trim()} to ${place}`, () => assert.equal(choosePage(entered), place))
  }
})
