import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCurrency } from '@coffer/contract/money'
import { readLanguages } from './choose-messages.ts'
import { createDateFormat } from './format-date.ts'
import { createMoneyFormat } from './format-money.ts'

/** Intl uses narrow and non-breaking spaces, which are invisible in a test. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('money', () => {
  it('is formatted in the locale of the visitor', () => {
    assert.equal(createMoneyFormat(['en-US']).plain(1284.5, 'USD'), '$1,284.50')
    assert.equal(plain(createMoneyFormat(['de-DE']).plain(1284.5, 'EUR')), '1.284,50 €')
    assert.equal(createMoneyFormat(['en-US']).plain(1200, 'JPY'), '¥1,200')
  })

  it('has a sign in an entry', () => {
    const { signed } = createMoneyFormat(['en-US'])
    assert.equal(signed(5, 'USD'), '+$5.00')
    assert.equal(signed(-4.5, 'USD'), '\u2212$4.50')
  })

  it('keeps every digit of the largest balance', () => {
    const { plain: write } = createMoneyFormat(['en-US'])
    assert.equal(write(9_999_999_999_999.99, 'USD'), '$9,999,999,999,999.99')
  })
})

describe('the languages of the visitor', () => {
  it('are those that Intl accepts, and English at the end', () => {
    const written = (languages: string[]) =>
      createMoneyFormat(readLanguages({ languages })).plain(40, 'USD')
    for (const languages of [['C'], ['C.UTF-8', 'en_US'], []]) {
      assert.deepEqual(readLanguages({ languages }), ['en'])
      assert.equal(written(languages), '$40.00')
    }
    assert.deepEqual(readLanguages({ languages: ['de-DE', 'C'] }), ['de-DE', 'en'])
    assert.equal(plain(written(['de-DE', 'C'])), '40,00 $')
  })
})

describe('money in every currency', () => {
  it('is never rounded, whatever number of decimals the browser uses', () => {
    const { plain: write } = createMoneyFormat(['en-US'])
    const all = Intl.supportedValuesOf('currency').flatMap((code) => findCurrency(code) ?? [])
    assert(all.length > 100)
    for (const { code, exponent } of all) {
      const amount = 1_234_567 / 10 ** exponent
      assert.equal(write(amount, code).replaceAll(/\D/g, ''), '1234567', code)
    }
  })

  it('has all decimals that the currency usually has', () => {
    const { plain: write } = createMoneyFormat(['en-US'])
    assert.equal(plain(write(1.5, 'KWD')), 'KWD 1.500')
    assert.equal(write(2500, 'JPY'), '¥2,500')
    assert.equal(plain(write(2500, 'ISK')), 'ISK 2,500')
    assert.equal(plain(write(2500, 'UGX')), 'UGX 2,500')
    assert.equal(write(2500, 'USD'), '$2,500.00')
  })
})

describe('a date', () => {
  const date = createDateFormat(['en-GB'])
  const now = new Date(2026, 2, 12, 9, 0)
  const write = (...parts: [number, number, number, number, number]) =>
    plain(date(new Date(...parts).toISOString(), now))

  it('is a word for today and yesterday, by the calendar', () => {
    assert.equal(write(2026, 2, 12, 0, 1), 'Today, 0:01')
    assert.equal(write(2026, 2, 11, 23, 59), 'Yesterday, 23:59')
    assert.match(write(2026, 2, 10, 23, 59), /^10 Mar/)
  })

  it('includes the year only if it is not the current one', () => {
    assert.doesNotMatch(write(2026, 0, 2, 8, 0), /2026/)
    assert.match(write(2025, 11, 31, 8, 0), /2025/)
  })

  it('is empty for an invalid date', () => {
    assert.equal(date('soon', now), '')
  })
})
