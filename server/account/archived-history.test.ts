/** The history of a person whose older entries are archived. */
import { exportHistory, readHistory } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ask, makePerson, type TestPerson } from '../test/account-setup.ts'
import {
  bonusOf,
  monthAgo,
  openArchiveSetup,
  type ArchiveSetup,
} from '../test/ledger/archive-setup.ts'
import { giveBonus } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'

const [OLD, RECENT] = [monthAgo(3), monthAgo(2)]

describe('the history of a person whose older entries are archived', () => {
  let setup: { harness: Harness; person: TestPerson }
  let other: TestPerson
  let archive: ArchiveSetup
  beforeEach(async () => {
    const harness = await startHarness({ VERIFY_PERCENT: '0' })
    archive = await openArchiveSetup(harness)
    setup = { harness, person: await makePerson(harness) }
    const { walletId } = setup.person
    other = await makePerson(harness)
    await archive.post(4, [bonusOf(walletId, 1_00n), bonusOf(other.walletId, 9_00n)])
    await archive.post(3, [bonusOf(walletId, 2_00n), bonusOf(walletId, 3_01n)])
    await archive.post(2, [bonusOf(walletId, 4_00n)])
    await giveBonus(harness.context.ledger, walletId, 5_00n)
  })
  afterEach(async () => {
    await archive.end()
    await setup.harness.end()
  })

  const readAmounts = async () => {
    const { body } = await ask(setup, exportHistory)
    const rows = body.split('\r\n').slice(1, -1)
    return rows.map((row) => row.split(',').slice(2, 5).join(' '))
  }
  const ALL = [
    '5.00 USD 15.01',
    '4.00 USD 10.01',
    '3.01 USD 6.01',
    '2.00 USD 3.00',
    '1.00 USD 1.00',
  ]

  it('200 says nothing of an archive before there is one', async () => {
    const { archivedBefore } = (await ask(setup, readHistory)).json()
    assert.equal(archivedBefore, null)
    assert.deepEqual(await readAmounts(), ALL)
  })

  it('200 says which entries are archived; the history and the CSV file end there', async () => {
    await archive.archive(RECENT)
    for (const query of [{}, { search: 'kaffee' }, { to: `${OLD}-28` }]) {
      const page = (await ask(setup, readHistory, query)).json()
      assert.deepEqual([page.nextCursor, page.archivedBefore], [null, `${RECENT}-01`])
    }
    const { transactions } = (await ask(setup, readHistory)).json()
    assert.equal(transactions.length, 2)
    assert.deepEqual(await readAmounts(), ALL.slice(0, 2))
  })

  it('200 without entries if all of them are archived', async () => {
    await archive.archive(RECENT)
    const page = (await ask({ ...setup, person: other }, readHistory)).json()
    assert.deepEqual(page, {
      transactions: [],
      nextCursor: null,
      archivedBefore: `${RECENT}-01`,
    })
  })

  it('200 says nothing of an archive to a person who has nothing in it', async () => {
    await archive.archive(RECENT)
    const person = await makePerson(setup.harness, 1_00n)
    const { json } = await ask({ ...setup, person }, readHistory)
    assert.equal(json().archivedBefore, null)
  })
})
