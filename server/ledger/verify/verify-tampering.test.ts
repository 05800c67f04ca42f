/**
 * Every kind of tampering and every verifier: `verify` in its three modes and the continuous verifier. A column of the
 * ledger's tables needs a row in TAMPERINGS, or a reason why changing it is not a fault.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TAMPERINGS } from '../../test/tables/tamperings.ts'
import { openBooks, tamper, VERIFIERS, type Books } from '../../test/tables/tamper.ts'

/** Columns that the verifiers do not check, and why. */
const NOT_VERIFIED: Record<string, string> = {
  'wallets.id': 'a wallet with another id is a missing one; see the rows about deleted wallets',
  'wallets.closed_at': 'it only prevents refunds; the audit log has deletions by operators',
  'holds.suspended_at': 'an operator decides about suspended holds; the audit log has it',
  'operation_keys.is_amount_omitted': 'what the first request said; nothing else has it',
  'operation_keys.is_balance_hidden': 'what the first response said; nothing else has it',
  'wallets.is_active': 'an operator freezes and reactivates wallets; the audit log has it',
  ...Object.fromEntries(
    [
      'wallet_id',
      'account',
      'single_max',
      'ends_at',
      'time_zone',
      'day_max',
      'week_max',
      'month_max',
    ]
      .concat(
        'day_starts_at',
        'day_ends_at',
        'week_starts_at',
        'week_ends_at',
        'month_starts_at',
        'month_ends_at',
      )
      .map((column) => [
        `spend_limits.${column}`,
        'no money: people set, change and remove limits',
      ]),
  ),
  'accounts.id': 'the books refer to it by operations.counter_account, which is in the hash',
  'accounts.name': 'a label',
  'accounts.credit_limit': 'an operator changes it; the audit log has it',
}

describe('tampering with the books', () => {
  let books: Books
  before(async () => {
    books = await openBooks()
  })
  after(() => books.close())

  const insertIds = (text: string) =>
    text.replace(/\b[ABCRHSPLI]\b/g, (name) => String(books.ids[name as keyof Books['ids']]))

  it('no verifier finds a fault in correct books', async () => {
    for (const verifier of VERIFIERS) {
      assert.equal(await books.verifiers[verifier](), undefined, verifier)
    }
  })

  it('every column of the ledger has a row or a reason not to have one', async () => {
    const { rows } = await books.harness.admin.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'ledger' and table_name in ('wallets', 'operations', 'operation_keys', 'accounts', 'refunds',
         'holds', 'hold_changes', 'spend_limits')`,
    )
    const covered = new Set([
      ...TAMPERINGS.flatMap(({ column }) => column ?? []),
      ...Object.keys(NOT_VERIFIED),
    ])
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), [...covered].toSorted())
  })

  // The schema allows it, because the primary key of a partitioned table must contain the time.
  for (const [seq, later] of [
    [10, '1 ms'],
    [10, '1 month'],
    [3, '1 month'],
  ] as const) {
    it(`operation ${seq} exists twice, the second time ${later} later`, async () => {
      const { admin } = books.harness
      const copy = `insert into ledger.operations select wallet_id, seq, amount, balance_after, created_at + '${later}',
        counter_account, kind, debt_change, debt_after, reference_type, reference_id, description, hash, target
        from ledger.operations where wallet_id = A and seq = ${seq}`
      const found = new RegExp(insertIds(`^wallet A, operation (${seq}|${seq + 1}): `))
      await tamper(
        books,
        () => admin.query(insertIds(copy)),
        async () => {
          for (const verifier of VERIFIERS) {
            const fault = await books.verifiers[verifier]()
            if (seq === 3 && verifier === 'incremental') assert.equal(fault, undefined)
            else if (verifier === 'running') assert.notEqual(fault, undefined)
            else assert.match(fault ?? 'no fault', found, verifier)
          }
        },
      )
    })
  }

  for (const { name, change, fault, checked, incremental } of TAMPERINGS) {
    it(name, async () => {
      const { admin } = books.harness
      const act = () =>
        typeof change === 'string' ? admin.query(insertIds(change)) : change(books)
      const [inChecked] = checked ?? [fault]
      const [inIncremental] = incremental ?? [inChecked]
      const expected = [fault, inChecked, inIncremental].map((each) => each && insertIds(each))
      await tamper(books, act, async () => {
        const { full, 'full with checkpoint': withCheckpoint, ...others } = books.verifiers
        const found = [await full(), await withCheckpoint(), await others.incremental()]
        assert.deepEqual(found, expected)
        const inPortions = await others.running()
        // It compares the sums first, so it may report another consequence of the same change.
        assert.equal(inPortions === undefined, fault === undefined, `running: ${inPortions}`)
      })
    })
  }
})
