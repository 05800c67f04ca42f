import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { summarizeDecision } from './summarize-decision.ts'

/** The title for a debit of 11.50 of which so much is refunded, and of those that are similar to it. */
function summarize(refunded: number, ...similar: number[]) {
  const debit = { kind: 'debit' as const, amount: 11.5, refunded }
  const others = similar.map((each) => ({ refunded: each }))
  const { kind, title } = summarizeDecision(debit, others, (amount) => `$${amount.toFixed(2)}`)
  return [kind, title]
}

describe('the summary of a debit', () => {
  it('says that there was one debit only if there was one', () => {
    assert.deepEqual(summarize(0), ['good', 'Debited once: $11.50'])
    assert.deepEqual(summarize(0, 0), ['warning', '2 debits of $11.50'])
    assert.deepEqual(summarize(0, 0, 0), ['warning', '3 debits of $11.50'])
  })

  it('says how much of it is refunded', () => {
    assert.deepEqual(summarize(11.5), ['none', 'Debited $11.50, refunded in full'])
    assert.deepEqual(summarize(4), ['none', 'Debited $11.50, refunded $4.00'])
  })

  it('warns until at most one of several debits is not refunded', () => {
    assert.deepEqual(summarize(0, 11.5), ['none', '2 debits of $11.50, 1 refunded in full'])
    assert.deepEqual(summarize(11.5, 0), ['none', '2 debits of $11.50, 1 refunded in full'])
    assert.deepEqual(summarize(11.5, 11.5), ['none', '2 debits of $11.50, both refunded in full'])
    assert.deepEqual(summarize(0, 4), ['warning', '2 debits of $11.50'])
    assert.deepEqual(summarize(11.5, 0, 0), ['warning', '3 debits of $11.50, 1 refunded in full'])
    assert.deepEqual(summarize(11.5, 11.5, 11.5), [
      'none',
      '3 debits of $11.50, all refunded in full',
    ])
  })
})
