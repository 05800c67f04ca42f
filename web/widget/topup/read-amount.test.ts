import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAmountFormat, fromMinor, toMinor } from './format.ts'
import { readAmount } from './read-amount.ts'
import { suggestAmounts } from './suggest.ts'

function read(typed: string, exponent = 2, decimalSign = '.') {
  const rules = { exponent, minMinor: 100n, maxMinor: 100_000_000n, decimalSign }
  const result = readAmount(typed, rules)
  return 'amount' in result ? result.amount : result.fault
}

describe('an amount that is typed', () => {
  it('is read as the visitor writes it', () => {
    assert.equal(read('25'), '25.00')
    assert.equal(read(' $1,234.5 '), '1234.50')
    assert.equal(read('12.'), '12.00')
    assert.equal(read('007.10'), '7.10')
    assert.equal(read('1.234,5', 2, ','), '1234.50')
    assert.equal(read("1'234.50"), '1234.50')
    assert.equal(read('1\u202f234,50', 2, ','), '1234.50')
    assert.equal(read('٢٥٫٥', 2, '٫'), '25.50')
  })

  it('is understood in another style where that style can mean one thing only', () => {
    assert.equal(read('12,5'), '12.50')
    assert.equal(read('12.5', 2, ','), '12.50')
    assert.equal(read('1.234,50'), '1234.50')
    assert.equal(read('1,234'), '1234.00')
    assert.equal(read('1.234', 2, ','), '1234.00')
  })

  it('is never rounded', () => {
    assert.equal(read('0.1234'), 'decimals')
    assert.equal(read('19.999'), 'decimals')
    assert.equal(read('100.5', 0), 'whole')
    assert.equal(read('100', 0), '100')
    assert.equal(read('1.234', 3), 'tens')
    assert.equal(read('1.230', 3), '1.230')
    assert.equal(read('4503599627370496.01'), 'large')
  })

  it('keeps within the bounds, which belong to it', () => {
    assert.equal(read('0.99'), 'small')
    assert.equal(read('1'), '1.00')
    assert.equal(read('1000000'), '1000000.00')
    assert.equal(read('1000000.01'), 'large')
  })

  it('is nothing else', () => {
    for (const text of ['', ' ', '.', ',', '-5', '+5', '1e3', '0x10', '5 5 a', '1.2.3', '1,2,3'])
      assert.equal(read(text), 'empty', text)
  })
})

describe('suggested amounts', () => {
  const suggest = (min: string, max: string, exponent = 2) =>
    suggestAmounts(toMinor(min, exponent), toMinor(max, exponent), exponent).map((minor) =>
      fromMinor(minor, exponent),
    )

  it('are round and within the bounds, whatever the currency', () => {
    assert.deepEqual(suggest('1', '1000'), ['10.00', '25.00', '50.00', '100.00'])
    assert.deepEqual(suggest('1', '1000', 0), ['100', '250', '500', '1000'])
    assert.deepEqual(suggest('100', '100000', 0), ['1000', '2500', '5000', '10000'])
    assert.deepEqual(suggest('1', '300', 3), ['1.000', '2.500', '5.000', '10.000'])
    assert.deepEqual(suggest('500', '90000'), ['1000.00', '2500.00', '5000.00', '10000.00'])
  })

  it('are as many as fit', () => {
    assert.deepEqual(suggest('20', '60'), ['25.00', '50.00'])
    assert.deepEqual(suggest('3', '4'), [])
  })
})

describe('the way amounts are written', () => {
  it('follows the visitor and keeps every decimal of the currency', () => {
    const german = createAmountFormat(['de-DE'], 'EUR', 2)
    assert.equal(german.plain('1234.50'), '1234,50')
    assert.equal(german.isSymbolFirst, false)
    assert.equal(german.decimalSign, ',')
    const dinar = createAmountFormat(['en-US'], 'IQD', 3)
    assert.equal(dinar.plain('1.230'), '1.230')
    const dollar = createAmountFormat(['en-US'], 'USD', 2)
    assert.deepEqual([dollar.short('25.00'), dollar.short('2.50')], ['$25', '$2.50'])
    assert.deepEqual([dollar.symbol, dollar.isSymbolFirst], ['$', true])
  })
})
