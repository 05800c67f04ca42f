import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  monthAgo,
  OLD,
  openFilledArchive,
  RECENT,
  type FilledArchive,
} from '../test/ledger/archive-setup.ts'
import { restoreMonth } from './restore-month.ts'
import { verifyArchive } from './verify-archive.ts'

let setup: FilledArchive
beforeEach(async () => {
  setup = await openFilledArchive()
})
afterEach(() => setup.end())

describe('verifyArchive', () => {
  const verifyFiles = () => verifyArchive(setup.restoreTools)

  it('finds no fault after archiving and after restoring', async () => {
    await setup.archive(monthAgo(1))
    assert.deepEqual(await verifyFiles(), { months: 3, operations: 8, fault: undefined })
    await restoreMonth(setup.restoreTools, RECENT)
    await restoreMonth(setup.restoreTools, OLD)
    assert.deepEqual(await verifyFiles(), { months: 1, operations: 3, fault: undefined })
  })

  const CHANGES: [string, string, RegExp][] = [
    [
      'an operation that was removed by moving the head behind it',
      `update ledger.archived_heads h set seq = o.seq, balance = o.balance_after, head_hash = o.hash
         from ledger.operations o where o.wallet_id = h.wallet_id and o.seq = h.seq + 1;
       delete from ledger.operations where created_at < '${monthAgo(1)}-01'`,
      /^wallet \d+: its head in the database is that of operation \d, the manifests have operation \d/,
    ],
    [
      'a changed sum',
      `update ledger.archived_sums set amount = amount + 1 where month = '${OLD}-01'`,
      /^the sums of \S+ differ from its manifest/,
    ],
    [
      'a head that no manifest has',
      `insert into ledger.archived_heads select 999, '${OLD}-01', 1, 1, 0, sha256('x')`,
      /^the database has 3 heads, the manifests have 2/,
    ],
    [
      'another manifest',
      `update ledger.archived_months set manifest_hash = sha256('other')`,
      /is not the manifest that the database recorded/,
    ],
  ]
  for (const [title, change, fault] of CHANGES) {
    it(`finds ${title}`, async () => {
      await setup.archive(RECENT)
      await setup.harness.admin.query(change)
      assert.match((await verifyFiles()).fault ?? '', fault)
    })
  }
})
