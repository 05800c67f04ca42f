/** Holds that are open while their month is archived, and refunds in archived months. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { balanceBooks } from '../books/balance-books.ts'
import { readCheckpoint } from '../ledger/verify/checkpoint.ts'
import { digestPair } from '../ledger/digest.ts'
import { makeClientApp } from '../test/factories.ts'
import {
  bonusOf,
  OLD,
  OLDEST,
  openFilledArchive,
  publicPem,
  RECENT,
  type FilledArchive,
} from '../test/ledger/archive-setup.ts'
import { dropMonth, restoreMonth } from './restore-month.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let setup: FilledArchive
before(async () => {
  setup = await openFilledArchive()
})
after(() => setup.end())

async function assertSound() {
  const manifest = () =>
    readCheckpoint(join(setup.folder, `operations-${OLDEST}.manifest`), publicPem)
  const threads = { databaseUrl: setup.harness.databaseUrl, count: 2 }
  assert.equal(await setup.findFault({ checkpoint: manifest() }), undefined)
  assert.equal(await setup.findFault({ checkpoint: manifest(), isIncremental: true }), undefined)
  assert.equal(await setup.findFault({ threads }), undefined)
  assert.equal((await balanceBooks(setup.harness.context))?.fault, undefined)
}

/** A debit and its refund. */
async function refund() {
  const { context } = setup.harness
  const { ledgerAccount: account } = await makeClientApp(context)
  const walletId = await context.ledger.openWallet()
  const common = { ...bonusOf(walletId), counterAccount: account, amountMinor: 50n }
  const target = digestPair(account, 'ARCHIVE', 'debit')
  const terms = { target, isAmountOmitted: false, isBalanceHidden: false }
  await setup.post(4, [
    bonusOf(walletId),
    { ...common, kind: 'debit', referenceId: 'debit' },
    { ...common, kind: 'refund', referenceId: 'refund', refund: terms },
  ])
}

describe('an archived month', () => {
  it('has holds that stay open, are captured and released later, and come back with it', async () => {
    const { context, admin } = setup.harness
    const walletId = await context.ledger.openWallet()
    const { ledgerAccount: account } = await makeClientApp(context, { creditLimit: 1_000_000n })
    const target = digestPair(account, 'ARCHIVE', 'hold')
    const holdChange = { target, isAmountOmitted: false, isFinal: false, isBalanceHidden: false }
    const common = { ...bonusOf(walletId), counterAccount: account }
    const hold = { expiresInMs: 200 * DAY_MS }
    await setup.post(4, [
      bonusOf(walletId),
      { ...common, kind: 'hold', amountMinor: 60n, referenceId: 'hold', hold },
    ])
    const capture = {
      kind: 'capture',
      amountMinor: 20n,
      referenceId: 'capture',
      holdChange,
    } as const
    await setup.post(3, [{ ...common, ...capture }])
    await refund()
    await setup.archive(RECENT)
    const { rows } = await admin.query(
      'select seq, balance, held from ledger.archived_heads where wallet_id = $1',
      [walletId],
    )
    assert.deepEqual(rows.map(Object.values), [['3', '40', '40']])
    await assertSound()
    await context.ledger.post({
      ...common,
      kind: 'release',
      amountMinor: 0n,
      referenceId: 'release',
      holdChange: { ...holdChange, isAmountOmitted: true, isFinal: true },
    })
    const wallet = await context.ledger.readWallet(walletId)
    assert.deepEqual([wallet?.balance, wallet?.held], [80n, 0n])
    await assertSound()
    await dropMonth(setup.restoreTools, OLD)
    await dropMonth(setup.restoreTools, OLDEST)
    // The operation of the refund is not walked any more.
    await admin.query(
      'create table kept as select * from ledger.refunds; delete from ledger.refunds',
    )
    assert.equal(
      await setup.findFault(),
      'ledger.refunds: the number of rows is 0, but 1 is the number of refunds with a key',
    )
    await admin.query('insert into ledger.refunds select * from kept')
    await restoreMonth(setup.restoreTools, OLD)
    await assertSound()
    await restoreMonth(setup.restoreTools, OLDEST)
    assert.equal(await setup.findFault(), undefined)
  })
})
